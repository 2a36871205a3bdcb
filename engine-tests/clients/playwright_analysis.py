"""Uses `adoube board` like an analyst, a player and an arbiter, in Chromium driven by Playwright.

Usage: python engine-tests/clients/playwright_analysis.py target/release/adoube [TEST...]
(as playwright_board.py)
"""

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect

from playwright_board import PATIENCE, Server, Tab, accessible, run
from playwright_referee import Desk

GAME = """[Event "Club championship"]
[Site "Lyon"]
[Date "2026.11.20"]
[Round "3"]
[White "Anna"]
[Black "Boris"]
[WhiteElo "2105"]
[BlackElo "?"]
[Result "1-0"]
[Termination "time forfeit"]

1. e4 {[%clk 0:05:01]} e5 {[%clk 0:04:12]} 2. Nf3 {[%clk 0:00:14]} Nc6 {[%csl Rd5][%cal Gf1b5]} 1-0
"""
SIZES = {"desk": (1280, 800), "phone": (390, 844), "full HD": (1920, 1080)}


def times_are_in_minutes(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    expect(page.locator("#board .ground rect").last, "h1 of the first board").to_have_class("light")
    for control, shown in [("5+3", "5:00"), ("3 + 2", "3:00"), ("90s", "1:30"), ("40/90:30", "1:30:00")]:
        tab.new(you="both", clock=control)
        expect(page.locator("#below .clock")).to_have_text(shown)
    page.click("#new")
    buttons = page.locator("#controls button")
    expect(buttons).to_have_text(["1+0", "3+2", "5+3", "10+0", "15+10", "30+20", "No clock"])
    buttons.nth(4).click()
    expect(page.locator("#time")).to_have_value("15+10")
    expect(buttons.nth(4)).to_have_attribute("aria-pressed", "true")
    page.click("#begin")
    expect(page.locator("#below .clock")).to_have_text("15:00")
    # The space bar does not press the button that opened the dialog.
    expect(page.locator("#table")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#new-dialog")).to_be_hidden()
    # A clock with little time changes its colour.
    expect(page.locator("#below .clock")).not_to_have_class(re.compile("low"))
    tab.new(you="both", clock="10s")
    expect(page.locator("#below .clock")).to_have_class(re.compile("low"))
    tab.close()


def an_analysis_fits_on_one_screen(browser, server):
    for name, (width, height) in SIZES.items():
        for scheme in ["light", "dark"]:
            tab = Tab(browser, server, viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=True)
            page = tab.page
            tab.study("chess", GAME)
            page.click("#switch")
            expect(page.locator("#lines b")).to_have_count(3)
            assert page.evaluate("scrollY") == 0
            for part in ["#board", "#bar", "#switch", "#lines", "#moves", ".steps", "#forward"]:
                box = page.locator(part).bounding_box()
                inside = box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
                assert inside and box["height"] > 0, (name, part, box)
            assert page.locator("#moves").bounding_box()["height"] >= 70, name
            across = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
            assert across <= 0, (name, across)
            if name != "phone":
                expect(page.locator("#bar span")).to_have_text(re.compile(r"^(M\d+|\d+\.\d|\d\d+)$"))
                cut = page.evaluate("(span => span.scrollWidth - span.clientWidth)(document.querySelector('#bar span'))")
                assert cut <= 0, "the number on the bar is cut off"
            page.click("#switch")
            page.click("#annotate")
            accessible(page, (name, scheme))
            page.click("#more")
            accessible(page, ("menu", name, scheme))
            tab.close()


def lines_are_clicked_and_hovered(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    board = page.locator("#board")
    tab.study("chess", "1. e4 e5 *")
    page.keyboard.press("Home")
    page.keyboard.press("l")
    expect(page.locator("#lines b")).to_have_count(3)
    expect(page.locator("#engine")).to_contain_text(re.compile(r"depth ([89]|\d\d)"))
    page.keyboard.press("l")
    expect(page.locator("#switch")).to_have_attribute("aria-checked", "false")
    tab.close()
    tab = Tab(browser, server)
    page = tab.page
    board = page.locator("#board")
    tab.study("chess", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 30")
    page.click("#switch")
    # The engine's first line is stable, because it is a mate in one.
    first = page.locator("#lines button[data-line='0'][data-move='0']")
    expect(first).to_contain_text("d8#")
    expect(page.locator("#lines p").first).to_contain_text("30.")
    expect(page.locator("#lines b").first).to_have_text("+M1")
    expect(page.locator("#bar span")).to_have_text("M1")
    first.hover()
    expect(page.locator("#preview")).to_be_visible()
    expect(page.locator("#preview .piece.rook")).to_have_count(1)
    first.click()
    expect(page.locator("#moves button")).to_have_count(1)
    expect(board).to_have_attribute("data-ply", "1")
    page.locator("#flip").focus()
    page.keyboard.press("Control+z")
    expect(page.locator("#moves button")).to_have_count(0)
    page.keyboard.press("Control+y")
    expect(page.locator("#moves button")).to_have_count(1)
    # The mouse wheel steps through the moves.
    page.mouse.move(*tab.middle(27))
    page.mouse.wheel(0, -100)
    expect(board).to_have_attribute("data-ply", "0")
    page.mouse.wheel(0, 100)
    expect(board).to_have_attribute("data-ply", "1")
    tab.close()


def arrows_are_drawn_and_saved(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    drawn = page.locator("#board polyline.drawn")
    circles = page.locator("#board circle.drawn")

    def draw(start, end, *keys):
        for key in keys:
            page.keyboard.down(key)
        page.mouse.move(*tab.middle(start))
        page.mouse.down(button="right")
        page.mouse.move(*tab.middle(end), steps=3)
        page.mouse.up(button="right")
        for key in keys:
            page.keyboard.up(key)

    tab.study("chess", GAME)
    page.keyboard.press("End")
    expect(drawn).to_have_class("arrow drawn green")
    expect(circles).to_have_class("arrow drawn red")
    page.keyboard.press("Home")
    expect(drawn).to_have_count(0)
    draw(52, 36)
    expect(drawn).to_have_count(1)
    draw(51, 35, "Shift")
    expect(page.locator("#board polyline.red")).to_have_count(1)
    draw(27, 27, "Alt")
    expect(page.locator("#board circle.blue")).to_have_count(1)
    # Drawing the same arrow again erases it.
    draw(52, 36)
    expect(drawn).to_have_count(1)
    with page.expect_download() as download:
        page.click("#save")
    record = Path(download.value.path()).read_text().replace("\n", " ")
    assert "{[%csl Bd5][%cal Rd2d4]}" in record and "[%csl Rd5][%cal Gf1b5]" in record, record
    page.reload()
    expect(drawn).to_have_count(1)
    page.locator("#flip").focus()
    page.keyboard.press("ArrowRight")
    expect(drawn).to_have_count(0)
    tab.study("draughts", "1. 32-28 {[%cal G1923]} *")
    page.keyboard.press("End")
    expect(drawn).to_have_count(1)
    tab.close()


def texts_are_copied_pasted_and_dropped(browser, server):
    tab = Tab(browser, server, permissions=["clipboard-read", "clipboard-write"])
    page = tab.page
    clipboard = lambda: page.evaluate("navigator.clipboard.readText()")
    tab.study("chess", GAME)
    tab.has_plies(4)
    page.click("#more")
    page.click("#copy-fen")
    tab.says("copied")
    assert clipboard() == page.input_value("#fen")
    page.click("#more")
    page.click("#copy-record")
    tab.says("The game has been copied.")
    assert '[White "Anna"]' in clipboard()

    def paste(text, how="paste"):
        page.evaluate("""([text, how]) => {
            const data = new DataTransfer();
            if (how === "paste") data.setData("text/plain", text);
            else data.items.add(new File([text], "a.pgn"));
            const event = how === "paste" ? new ClipboardEvent(how, { clipboardData: data, bubbles: true, cancelable: true })
                : new DragEvent(how, { dataTransfer: data, bubbles: true, cancelable: true });
            document.querySelector("#flip").dispatchEvent(event);
        }""", [text, how])

    paste("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")
    expect(page.locator("#fen")).to_have_value("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")
    paste("1. 32-28 19-23 *")
    expect(tab.square(27)).to_have_attribute("aria-label", re.compile("^28"))
    expect(page.locator("#moves button")).to_have_text(["32-28", "19-23"])
    paste("1. d4 d5 2. c4 *", "drop")
    expect(page.locator("#moves button")).to_have_text(["d4", "d5", "c4"])
    paste("1. d4 *\n\n1. e4 *\n")
    expect(page.locator("#listed tbody tr")).to_have_count(2)
    page.locator("#listed tbody tr").nth(1).click()
    expect(page.locator("#moves button")).to_have_text(["e4"])
    page.click("#more")
    with page.expect_download() as download:
        page.click("#picture")
    assert "<svg" in Path(download.value.path()).read_text()
    tab.close()


def an_opened_game_has_its_header_and_clocks(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    tab.study("chess", GAME)
    heads = page.locator("#heads")
    for text in ["Club championship", "round 3", "Lyon", "2026.11.20", "1–0", "time forfeit"]:
        expect(heads).to_contain_text(text)
    expect(page.locator("#below .name")).to_have_text("Anna (2105)")
    expect(page.locator("#above .name")).to_have_text("Boris")
    page.keyboard.press("End")
    expect(page.locator("#below .clock")).to_have_text("14.0")
    expect(page.locator("#above .clock")).to_have_text("4:12")
    page.keyboard.press("Home")
    expect(page.locator("#below .clock")).to_be_hidden()
    tab.close()


def a_finished_game_is_analysed_or_played_again(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    tab.new(level="full", clock="5+3")
    tab.play("e4")
    tab.has_plies(2)
    page.click("#resign")
    page.click("#sure [data-close]")
    expect(page.locator("#after")).to_be_hidden()
    page.click("#resign")
    page.click("#sure-yes")
    tab.says("Black wins: resignation")
    page.click("#rematch")
    tab.has_plies(1)
    expect(page.locator("#below .name")).to_have_text("You")
    expect(page.locator("#below .name")).to_have_class("name black")
    expect(page.locator("#below .clock")).to_be_visible()
    page.click("#resign")
    page.click("#sure-yes")
    with page.expect_download() as download:
        page.click("#save")
    record = Path(download.value.path()).read_text()
    for part in ['[TimeControl "300+3"]', "[%clk 0:0", '[Termination "normal"]', '[Result "1-0"]']:
        assert part in record, (part, record)
    page.click("#examine")
    expect(page.locator("#engine")).to_be_visible()
    tab.has_plies(1)
    expect(page.locator("#heads")).to_contain_text("1–0")
    tab.close()


def no_analysis_is_lost(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    tab.study("chess", "1. e4 e5 *")
    tab.study("chess", GAME)
    page.click("#study")
    expect(page.locator("#recent p"), "games that were only looked at").to_have_count(0)
    page.keyboard.press("Escape")
    tab.play("d4")
    expect(page.locator("#moves .variation button")).to_have_text(["d4"])
    # Another text replaces the analysis, and the tab is closed.
    tab.study("chess", "1. c4 *")
    tab.has_plies(1)
    other = tab.context.new_page()
    page.close()
    other.goto(server.address)
    other.wait_for_selector("html[data-live=yes]")
    other.keyboard.press("Escape")
    other.click("#study")
    expect(other.locator("#recent p")).to_have_count(1)
    expect(other.locator("#recent span")).to_contain_text("Anna – Boris, 2 moves")
    other.locator("#recent").get_by_text("Open").click()
    expect(other.locator("#moves .variation button")).to_have_text(["d4"])
    tab.close()


def a_page_reconnects_to_a_new_server(browser, server):
    with tempfile.TemporaryDirectory() as folder, Server(server.command[0], folder) as own:
        port = re.search(r":(\d+)/", own.address)[1]
        own.command[own.command.index("--port") + 1] = port
        tab = Tab(browser, own)
        tab.study("chess", GAME)
        tab.has_plies(4)
        address = own.address
        own.end(signal.SIGKILL)
        expect(tab.page.locator("#alert")).to_contain_text("Connection to the server lost")
        own.start()
        assert own.address == address
        expect(tab.page.locator("html[data-live=yes]")).to_be_attached(timeout=PATIENCE)
        tab.has_plies(4)
        expect(tab.page.locator("#alert")).to_be_empty()
        # The browser logs failed connections while the server was down.
        tab.faults = [fault for fault in tab.faults if "WebSocket" not in fault]
        tab.close()
        own.end()


def a_set_up_position_keeps_rights_and_counters(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    fen = page.locator("#setup-fen")
    page.keyboard.press("Escape")
    page.click("#study")
    page.click("#set-up")
    page.fill("#setup-fen", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 7 21")
    expect(page.locator("#setup-board [data-square='57']")).to_have_attribute("aria-label", "b1, white rook")
    page.locator("#palette [aria-label='white pawn']").check()
    page.locator("#setup-board [data-square='32']").click()
    expect(fen).to_have_value("1r2k1r1/8/8/8/P7/8/8/1R2K1R1 w GBgb - 7 21")
    expect(page.locator("#setup-error")).to_be_empty()
    page.locator("#castling [value=q]").uncheck()
    page.fill("#setup-number", "30")
    page.locator("#setup-number").blur()
    expect(fen).to_have_value("1r2k1r1/8/8/8/P7/8/8/1R2K1R1 w GBg - 7 30")
    page.click("#setup-first")
    expect(fen).to_have_value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    tab.close()


def errors_are_explained(browser, server):
    tab = Tab(browser, server)
    tab.new(you="both")
    for text, reason in [("Qh7", "no queen can reach h7"), ("O-O", "the bishop on f1 is in the way"), ("e2e5", "the pawn on e2 cannot reach e5")]:
        tab.play(text)
        expect(tab.page.locator("#alert")).to_have_text(f"{text} is not legal: {reason}")
    tab.close()
    wrong = subprocess.run([server.command[0], "board", "--port", "0", "--engine", "cmd=/nowhere/engine,name=X"],
                           capture_output=True, text=True, timeout=30)
    assert wrong.returncode != 0 and "there is no program '/nowhere/engine'" in wrong.stderr, wrong


def a_player_sees_material_and_captures(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    tab.new(you="both")
    for plies, text in enumerate(["e4", "d5", "exd5", "Qxd5", "Nc3", "Qxg2"], 1):
        tab.play(text)
        tab.has_plies(plies)
    tab.play("Bxg2")
    expect(page.locator("#below .note")).to_have_text("♛ +8")
    page.click("#first")
    expect(page.locator("#below .note")).to_be_hidden()
    with tab.menu():
        page.select_option("#theme", "blue")
        page.select_option("#set", "letters")
        page.select_option("#size", "small")
    small = page.locator("#board").bounding_box()["width"]
    page.reload()
    expect(page.locator("html[data-theme=blue][data-set=letters][data-size=small]")).to_be_attached()
    expect(page.locator("#board .letter").first).to_be_visible()
    with tab.menu():
        page.select_option("#size", "large")
    assert page.locator("#board").bounding_box()["width"] > small
    tab.new("killer", you="both", start="W:W28,40:B22")
    tab.says("You must capture: 28x17.")
    expect(page.locator("#heads")).to_contain_text("Killer draughts")
    expect(page.locator("#board .obliged")).to_have_count(1)
    tab.close()


def the_arbiters_page_is_french_throughout(browser, server):
    tab = Desk(browser, server, bypass_csp=True)
    page = tab.page
    tab.begin("fide-2023", "5+3", white="Anna")
    # The space bar starts the clock at once.
    expect(page.locator("#press")).to_have_text("Start clock")
    page.keyboard.press("Space")
    expect(page.locator("#press")).to_have_text("Clock running")
    expect(page.locator("#below .clock")).to_have_text(re.compile("^[45]:"))
    height = page.locator("#below .clock").bounding_box()["height"]
    assert height > 40, "the clocks are large"
    # Few events have large buttons. The other events are found with the search.
    expect(page.locator("#possible .can").first.locator("button").first).to_have_text("touch …")
    assert page.locator("#possible button").count() <= 20
    page.click("#rest summary")
    page.fill("#search-events", "white adjust")
    expect(page.locator("#others button")).to_have_text(["adjust …"])
    page.fill("#search-events", "")
    page.select_option("#tongue", "fr")
    expect(page.locator("html[lang=fr]")).to_be_attached()
    expect(page.locator("#possible h2")).to_have_text(["Blancs", "Noirs", "Arbitre"])
    expect(page.locator("#status")).to_have_text("Trait aux Blancs.")
    tab.type("white move e4")
    expect(page.locator("#status")).to_contain_text("Les Blancs n’ont pas appuyé sur la pendule.")
    texts = page.locator("main, header").all_inner_texts()
    words = set(re.findall(r"\w+", re.sub(r"white move e2e4", "", " ".join(texts))))
    english = {"White", "Black", "Arbiter", "Event", "Enter", "Play", "Move", "Undo", "Save", "New", "Referee", "touch", "offer", "flag", "claim",
               "resign", "stop", "More", "Clock", "Press", "All", "Search", "Board", "input", "Language", "Print", "moves"}
    assert not words & english, words & english
    accessible(page, "French")
    tab.new(you="both")
    expect(page.locator("html[lang=en]")).to_be_attached()
    expect(page.locator("#new")).to_have_text("New game")
    tab.close()


TESTS = [
    times_are_in_minutes,
    an_analysis_fits_on_one_screen,
    lines_are_clicked_and_hovered,
    arrows_are_drawn_and_saved,
    texts_are_copied_pasted_and_dropped,
    an_opened_game_has_its_header_and_clocks,
    a_finished_game_is_analysed_or_played_again,
    no_analysis_is_lost,
    a_page_reconnects_to_a_new_server,
    a_set_up_position_keeps_rights_and_counters,
    errors_are_explained,
    a_player_sees_material_and_captures,
    the_arbiters_page_is_french_throughout,
]


if __name__ == "__main__":
    run(TESTS, sys.argv[1], sys.argv[2:])
