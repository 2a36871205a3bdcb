"""Uses the referee of `adoube board` like an arbiter, in Chromium driven by Playwright.

Usage: python engine-tests/clients/playwright_referee.py target/release/adoube [TEST...]
(as playwright_board.py; PICTURES=DIR saves screenshots and the printed sheet, AXE=axe.min.js checks accessibility)
"""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from playwright_board import TWO_ROUTES, Tab, accessible, run

SQUARES = {f"{file}{rank}": 8 * (8 - rank) + "abcdefgh".index(file) for file in "abcdefgh" for rank in range(1, 9)}
PERPETUAL = "setup 6k1/5p1p/8/3Q4/8/8/1q6/7K w - - 0 1"


class Desk(Tab):
    """A tab with the arbiter's board."""

    def begin(self, edition, clock="", **names):
        page = self.page
        if page.locator("#new-dialog").is_visible():
            page.keyboard.press("Escape")
        page.click("#arbitrate")
        page.select_option("#edition-name", edition)
        page.fill("#log-time", clock)
        for name, value in names.items():
            page.fill(f"#log-{name}", value)
        page.click("#log-begin")
        expect(page.locator("#referee")).to_be_visible()
        # The previous log is closed.
        expect(page.locator("#log > li")).to_have_count(0)

    def events(self):
        return self.page.locator("#log > li").count()

    def type(self, line):
        """Enters an event in the input line."""
        before = self.events()
        self.page.fill("#line", line)
        self.page.press("#line", "Enter")
        expect(self.page.locator("#log > li")).to_have_count(before + (len(line.split()) - 1 if line.startswith("moves") else 1))

    def button(self, line):
        return self.page.locator(f'#others button[data-line="{line}"]')

    def press(self, line):
        """Enters an event by its button in the list of all events."""
        button = self.button(line)
        expect(button).to_be_attached()
        if not button.is_visible():
            self.page.click("#rest summary")
        button.click()

    def ruled(self, text):
        expect(self.page.locator("#log > li").last).to_contain_text(text)

    def saved(self):
        with self.page.expect_download() as download:
            self.page.click("#save")
        assert download.value.suggested_filename.endswith(".log")
        return Path(download.value.path())


def a_game_under_each_edition_with_a_claim(browser, server):
    """Saves each log and checks it with `referee --check`."""
    shuffle = "moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"
    games = {
        "fide-1928": (PERPETUAL, "white claim perpetual", "perpetual check"),
        "fide-1930": (shuffle, "white claim repetition", "repetition"),
        "fide-2009": (shuffle, "white claim repetition", "repetition"),
        "fide-2023": (shuffle, "white claim repetition", "repetition"),
        "fmjd": ("moves 32-28 19-23", "black claim flag", "flag"),
    }
    for edition, (line, claim, rule) in games.items():
        tab = Desk(browser, server)
        tab.begin(edition, "5m", white="Anna", black="<b>Boris</b>")
        expect(tab.page.locator("#above .name")).to_have_text("<b>Boris</b>")
        tab.type(line)
        tab.press(claim)
        tab.ruled(rule)
        tab.page.locator("#log summary").last.click()
        expect(tab.page.locator("#log details[open] p b").last, "the article").not_to_be_empty()
        path = tab.saved()
        check = subprocess.run([server.command[0], "referee", "--check", path], capture_output=True, text=True)
        assert check.returncode == 0 and check.stdout.startswith("1 game,"), (check, path.read_text())
        assert "# White: Anna\n# Black: <b>Boris</b>\n" in path.read_text()
        tab.close()


def the_hand_and_the_clock(browser, server):
    """Touches and releases a piece and presses the clock, by mouse and by the space bar."""
    tab = Desk(browser, server)
    page = tab.page
    tab.begin("fide-2023", "5m")
    tab.click(SQUARES["e2"], SQUARES["e4"])
    tab.ruled("white move e2e4")
    expect(page.locator("#press")).to_have_text("Start clock")
    page.keyboard.press("Space")
    expect(page.locator("#press")).to_have_text("Press White's clock")
    page.wait_for_timeout(1200)
    page.keyboard.press("Space")
    tab.ruled(re.compile(r"white press \+0:00:\d\d"))
    used = int(re.search(r"\+0:00:(\d\d)", page.locator("#log > li").last.inner_text())[1])
    assert used >= 1
    # The remaining time is shown in whole seconds, rounded up.
    expect(page.locator("#below .clock")).to_have_text(f"4:{60 - used:02}")
    # Black touches a knight and must therefore move it.
    page.select_option("#means", "hands")
    tab.click(SQUARES["b8"])
    tab.ruled("Black must play b8a6 or b8c6")
    tab.click(SQUARES["c6"])
    tab.ruled("black release b8 c6")
    page.click("#press")
    tab.ruled("black press")
    # An illegal move, claimed by the opponent.
    page.select_option("#means", "against")
    tab.click(SQUARES["e1"], SQUARES["e3"])
    tab.ruled("white illegal e1 e3")
    expect(tab.square(SQUARES["e3"])).to_have_attribute("aria-label", "e3, white king")
    page.keyboard.press("Space")
    tab.press("black claim illegal")
    tab.ruled("illegal")
    tab.page.click("#take-back")
    expect(page.locator("#log > li:not(.struck)").last).to_contain_text("white press")
    # A flag fall must be confirmed while the clock still shows time.
    tab.press("white flag")
    page.click("#sure [data-close]")
    expect(page.locator("#log > li:not(.struck)").last).to_contain_text("white press")
    tab.press("white flag")
    page.click("#sure-yes")
    tab.ruled("white flag")
    with tab.menu():
        page.select_option("#tongue", "fr")
    expect(page.locator("#log > li").first).to_contain_text("coup joué : c'est accepté")
    tab.close()


def reopening_a_log_returns_no_time(browser, server):
    tab = Desk(browser, server)
    page = tab.page
    tab.begin("fide-2023", "5m", white="Clara", black="Dora")
    page.click("#press")
    page.wait_for_timeout(2200)
    # The clock goes on after a reload, even before the first event.
    tab.reload()
    expect(page.locator("#press")).to_have_text("Clock running")
    expect(page.locator("#below .clock")).to_have_text(re.compile("4:5[0-8]"))
    other = Desk(browser, server)
    other.page.keyboard.press("Escape")
    other.page.click("#arbitrate")
    listed = other.page.locator("#logs p", has_text="Clara – Dora")
    expect(listed).to_contain_text("0 events, open in another tab")
    expect(listed.locator("button")).to_have_text(["Resume"])
    # In another tab, the clock is paused.
    listed.get_by_text("Resume").click()
    expect(page.locator("#alert")).to_contain_text("another tab")
    expect(other.page.locator("#press")).to_have_text("Start clock")
    expect(other.page.locator("#below .clock")).to_have_text(re.compile("4:5[0-8]"))
    tab.close()
    other.close()


def a_capture_by_hand(browser, server):
    tab = Desk(browser, server)
    tab.begin("fide-2009", "-")
    tab.type("moves e4 d5")
    tab.page.select_option("#means", "hands")
    tab.click(SQUARES["e4"])
    tab.ruled("white touch e4")
    tab.click(SQUARES["d5"])
    tab.ruled("white remove d5")
    expect(tab.page.locator("#moves button")).to_have_count(3)
    tab.begin("fmjd", "-")
    tab.type("moves 32-28 19-23")
    tab.click(27)
    tab.ruled("white touch 28")
    tab.click(18)
    tab.click(22)
    tab.ruled("white remove 23")
    expect(tab.page.locator("#moves button")).to_have_count(3)
    tab.close()


def adjourned_sealed_and_opened(browser, server):
    tab = Desk(browser, server)
    page = tab.page
    tab.begin("fide-2009", "40/90m:30m", white="Anna", black="Boris")
    tab.click(SQUARES["e2"], SQUARES["e4"])
    tab.ruled("white move e2e4")
    page.keyboard.press("Space")
    expect(page.locator("#press")).to_have_text("Press White's clock")
    page.keyboard.press("Space")
    tab.ruled("white press")
    tab.press("adjourn")
    tab.ruled("Black must seal a move (annex 1 a)")
    tab.press("black seal")
    expect(page.locator("#next button").first).to_be_visible()
    # The sealed move is entered on the board.
    tab.click(SQUARES["e7"], SQUARES["e5"])
    tab.ruled("black seal e7e5")
    page.keyboard.press("Space")
    tab.ruled("the envelope is closed")
    expect(page.locator("#moves button")).to_have_count(1)
    # The page is reloaded and the server killed before the game is resumed.
    tab.reload()
    expect(page.locator("#log > li")).to_have_count(5)
    tab.close()
    server.end(signal.SIGKILL)
    server.start()
    tab = Desk(browser, server)
    tab.page.keyboard.press("Escape")
    tab.page.click("#arbitrate")
    tab.page.locator("#logs p", has_text="Anna – Boris, fide-2009").get_by_text("Resume").click()
    expect(tab.page.locator("#log > li")).to_have_count(5)
    tab.press("resume")
    tab.ruled("the envelope is opened: e7e5")
    expect(tab.page.locator("#moves button")).to_have_count(2)
    # The saved file is opened again.
    path = tab.saved()
    before = tab.page.evaluate("sessionStorage.getItem('game')")
    tab.page.click("#arbitrate")
    tab.page.set_input_files("#log-file", path)
    tab.page.wait_for_function("before => sessionStorage.getItem('game') !== before", arg=before)
    expect(tab.page.locator("#log > li")).to_have_count(6)
    tab.close()


def a_score_sheet_is_printed(browser, server):
    tab = Desk(browser, server)
    page = tab.page
    page.evaluate("print = () => document.documentElement.dataset.printed = 'yes'")
    tab.begin("fide-2009", "90m+30", white="Anna", black="Boris", event="Club", round="3")
    for line in ["white move e2e4", "white press +65", "black move e7e5", "black offer", "black press +10", "white move Nf3"]:
        tab.type(line)
    page.click("#print")
    page.wait_for_selector("html[data-printed=yes]")
    page.emulate_media(media="print")
    sheet = page.locator("#sheet")
    expect(sheet).to_be_visible()
    expect(page.locator("#board")).to_be_hidden()
    expect(sheet).to_contain_text("Anna")
    rows = sheet.locator("tbody tr")
    expect(rows.nth(0)).to_have_text(re.compile(r"^1\s*e4\s*1:29:25\s*e5 \(=\)\s*1:30:20$"))
    expect(rows).to_have_count(60)
    tables = sheet.locator("table").last.bounding_box()
    room = sheet.bounding_box()
    assert tables["x"] + tables["width"] < room["x"] + room["width"] - 0.5, "the right border of the table would be cut off"
    if folder := os.environ.get("PICTURES"):
        page.pdf(path=f"{folder}/sheet.pdf", format="A4")
        page.set_viewport_size({"width": 760, "height": 1075})
        page.screenshot(path=f"{folder}/sheet.png")
    tab.close()


def a_game_is_heard(browser, server):
    """Tests announcements with a browser that only records them, and a dictated move."""
    tab = Desk(browser, server)
    page = tab.page
    page.add_init_script("""
        window.heard = [];
        Object.defineProperty(window, "speechSynthesis", { value: { speak: words => heard.push(words.lang + ": " + words.text), cancel() {} } });
        window.SpeechRecognition = class extends EventTarget {
            start() { this.dispatchEvent(Object.assign(new Event("result"), { results: [[{ transcript: "knight to f3" }]] })); this.dispatchEvent(new Event("end")); }
        };
    """)
    tab.reload()
    tab.begin("fide-2009", "1h")
    tab.click(SQUARES["e2"], SQUARES["e4"])
    expect(page.locator("#moves button")).to_have_count(1)
    assert page.evaluate("heard") == [], "off by default"
    with tab.menu():
        page.check("#speech")
    page.fill("#text", "e5")
    page.press("#text", "Enter")
    expect(page.locator("#moves button")).to_have_count(2)
    with tab.menu():
        page.click("#dictate")
    expect(page.locator("#moves button")).to_have_count(3)
    tab.type("white press +61")
    tab.type("black touch b8")
    heard = page.evaluate("heard")
    assert heard[0] == "de: Bauer Eva sieben Eva fuenf", heard
    assert heard[1] == "de: Springer Gustav eins Felix drei", heard
    assert heard[2] == "en: White: 58 minutes 59 seconds", heard
    assert heard[3].startswith("en: own piece touched: Black must play"), heard
    with tab.menu():
        page.select_option("#tongue", "fr")
    tab.type("black move Cc6")
    page.locator("#board [tabindex='0']").focus()
    page.keyboard.press("t")
    expect(page.locator("#status")).to_contain_text("White: 58 minutes 59 seconds. Black: 1 hour.")
    with tab.menu():
        page.uncheck("#speech")
    tab.close()


def a_game_by_keyboard_alone(browser, server):
    tab = Desk(browser, server)
    page = tab.page
    page.keyboard.press("Escape")
    page.locator("#arbitrate").focus()
    page.keyboard.press("Enter")
    page.locator("#edition-name").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#edition-name")).to_have_value("fide-1930")
    page.locator("#log-time").focus()
    page.keyboard.type("-")
    page.keyboard.press("Enter")
    expect(page.locator("#referee")).to_be_visible()
    page.locator("#line").focus()
    page.keyboard.type("moves e4 d5")
    page.keyboard.press("Enter")
    expect(page.locator("#log > li")).to_have_count(2)
    # Use the buttons: choose the event, and then the square of the touched piece, with Enter.
    more = page.locator("#rest summary")
    more.focus()
    page.keyboard.press("Enter")
    expect(tab.button("white touch")).to_be_visible()
    tab.button("white touch").focus()
    page.keyboard.press("Enter")
    chips = page.locator("#next button")
    expect(chips.first).to_be_focused()
    page.locator("#next").get_by_text("g1", exact=True).focus()
    page.keyboard.press("Enter")
    tab.ruled("White must play g1e2, g1f3 or g1h3 (Art. 15 a)")
    # A line that is not an event is reported and changes nothing.
    page.locator("#line").focus()
    page.keyboard.type("white fly")
    page.keyboard.press("Enter")
    expect(page.locator("#alert")).to_contain_text("column 7: 'fly' should be")
    page.keyboard.press("Escape")
    page.keyboard.type("white resign")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("Black wins: resignation")
    tab.close()


def every_view_is_accessible(browser, server):
    """Runs axe-core, if AXE names its file, on every view, light and dark, on desktop and phone sizes."""
    if "AXE" not in os.environ:
        return print("skipped: set AXE to axe.min.js")
    for scheme, width in [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)]:
        tab = Desk(browser, server, color_scheme=scheme, viewport={"width": width, "height": 844}, bypass_csp=True)
        page = tab.page

        def check(view):
            accessible(page, (view, scheme, width))

        check("new game")
        page.select_option("#game", "chess960")
        check("new game of Chess960")
        page.select_option("#game", "chess")
        page.select_option("#odds", "pawn and two moves")
        check("new game at odds")
        page.fill("#time", "soon")
        page.click("#begin")
        expect(page.locator("#new-error")).not_to_be_empty()
        check("impossible new game")
        page.keyboard.press("Escape")
        page.click("#study")
        check("analyse")
        page.keyboard.press("Escape")
        page.click("#arbitrate")
        page.locator("#referee-dialog summary").click()
        check("new log")
        page.keyboard.press("Escape")

        for edition, moves, touched in [("fide-2009", "moves e4 e5", "white touch g1"), ("fmjd", "moves 32-28 19-23", "white touch 28")]:
            tab.begin(edition, "5m", white="Anna")
            check(f"{edition}, nothing yet")
            tab.type(moves)
            tab.type(touched)
            page.locator("#log summary").last.click()
            page.click("#rest summary")
            check(f"{edition}, a piece in hand")
            page.fill("#line", "white fly")
            page.press("#line", "Enter")
            expect(page.locator("#alert")).not_to_be_empty()
            check(f"{edition}, an error")
            tab.type("black resign")
            check(f"{edition}, over")
            page.click("#arbitrate")
            check("stored logs")
            page.keyboard.press("Escape")

        tab.new("draughts", you="both", clock="5m+3")
        check("draughts")
        tab.click(31)
        expect(page.locator("#board [aria-label$='legal destination']")).to_have_count(2)
        check("a piece is chosen")
        tab.new("draughts", you="both", start=TWO_ROUTES[0])
        tab.click(TWO_ROUTES[1] - 1, TWO_ROUTES[2] - 1)
        expect(page.locator("#choices button")).to_have_count(2)
        check("which capture")
        page.locator("#choices button").first.click()
        tab.has_plies(1)
        check("a capture")
        tab.new(against="Patient engine", clock="5m")
        tab.play("e4")
        tab.has_plies(1)
        tab.drag(62, 45)
        tab.says("Premove")
        check("a premove, and the opponent thinks")
        tab.new(you="both", start="7k/5Q2/5K2/8/8/8/8/8 w - - 0 1")
        tab.play("Qg7")
        tab.says("checkmate")
        check("mate")
        tab.study("chess", "1. e4 e5 *")
        tab.has_plies(2)
        check("study")
        page.click("#switch")
        expect(page.locator("#lines b")).to_have_count(3)
        page.click("#switch")
        expect(page.locator("#switch")).to_have_attribute("aria-checked", "false")
        check("study with lines")
        # The dialog lists the unfinished games.
        page.click("#new")
        check("unfinished games")
        tab.close()


# Returns the labels of a dialog that overlap their input fields.
OVERLAPS = """id => [...document.querySelectorAll(`#${id} label`)].filter(label => {
    const field = label.querySelector("input, select")?.getBoundingClientRect();
    const range = document.createRange();
    range.selectNode(label.firstChild);
    const text = range.getBoundingClientRect();
    return field?.width && text.width && text.right > field.left && text.bottom > field.top && text.top < field.bottom;
}).map(label => label.firstChild.data)"""


def no_label_overlaps_its_field(browser, server):
    for width, height in [(1280, 800), (390, 844)]:
        for locale in ["en", "fr"]:
            tab = Desk(browser, server, viewport={"width": width, "height": height}, locale=locale)
            page = tab.page
            page.select_option("#you", "both")
            assert page.evaluate(OVERLAPS, "new-dialog") == [], (width, locale)
            page.keyboard.press("Escape")
            page.click("#arbitrate")
            page.click("#referee-dialog summary")
            assert page.evaluate(OVERLAPS, "referee-dialog") == [], (width, locale)
            tab.close()


def every_size_and_colour_scheme(browser, server):
    folder = os.environ.get("PICTURES")
    sizes = {"desk": (1280, 800), "full-hd": (1920, 1080), "phone": (390, 844), "wide": (3840, 2160)}
    for scheme in ["light", "dark"]:
        for name, (width, height) in sizes.items():
            tab = Desk(browser, server, viewport={"width": width, "height": height}, color_scheme=scheme)
            page = tab.page
            tab.begin("fide-2009", "90m+30", white="Anna", black="Boris")
            if folder and name == "desk":
                page.click("#arbitrate")
                page.screenshot(path=f"{folder}/dialog-{scheme}.png")
                page.keyboard.press("Escape")
            for line in ["white move e4", "white press +65", "black move d5", "black press +30", "white touch e4", "black offer"]:
                tab.type(line)
            page.locator("#log summary").nth(-2).click()
            across = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
            assert across <= 0, (name, across)
            page.evaluate("scrollTo(0, 0)")
            field = page.locator("#line").bounding_box()
            assert field["y"] + field["height"] <= height, (name, "the field for events needs scrolling")
            if folder:
                page.screenshot(path=f"{folder}/referee-{name}-{scheme}.png", full_page=name == "phone")
            tab.close()


TESTS = [
    a_game_under_each_edition_with_a_claim,
    the_hand_and_the_clock,
    reopening_a_log_returns_no_time,
    a_capture_by_hand,
    adjourned_sealed_and_opened,
    a_score_sheet_is_printed,
    a_game_is_heard,
    a_game_by_keyboard_alone,
    every_view_is_accessible,
    no_label_overlaps_its_field,
    every_size_and_colour_scheme,
]


if __name__ == "__main__":
    run(TESTS, sys.argv[1], sys.argv[2:])
