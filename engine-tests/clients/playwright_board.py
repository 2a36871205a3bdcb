"""Plays on `adoube board` by mouse and keyboard, in Chromium driven by Playwright.

Usage: python engine-tests/clients/playwright_board.py target/release/adoube [TEST...]
(needs `pip install playwright` and Chromium; PICTURES=DIR saves screenshots of each size, PAGE=DIR loads the files
of the page from DIR and from DIR/../../page, to try changes without a build)

Any error in the page's console and any request to another address is a failure. Each step waits until the page
shows the expected result, with a timeout for slow machines, and reads values only from a settled page.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from gated_engine import Gates

# Timeout for a step on the slowest machine, in milliseconds.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)
NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
# A position in which two captures lead from 47 to 36. Only one of them goes over 24.
TWO_ROUTES = ("W:WK47:B14,19,22,29,42", 47, 36, 24)
OPENINGS = {"chess": "e4 e5 Nf3 Nc6 Bb5 a6", "draughts": "32-28 19-23 28x19 14x23 37-32 10-14"}
MIDDLE_GAME = """[White "Anna"]
[Black "Boris"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7
11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 *
"""
STYLES = "base board clock graph moves play app frame look referee study".split()
HOSTILE = '[White "<img src=x onerror=alert(1)>"]\n[Black "</script><b>"]\n\n1. e4 e5 2. Nf3 Nc6 *\n'


def accessible(page, view):
    """Checks the page with axe-core if AXE names its file. Needs a context with `bypass_csp`."""
    if "AXE" not in os.environ:
        return
    if not page.evaluate("'axe' in window"):
        page.evaluate(Path(os.environ["AXE"]).read_text())
    found = page.evaluate("""axe.run().then(all =>
        all.violations.map(one => [one.id, one.help, one.nodes.map(node => node.html + node.failureSummary)]))""")
    assert not found, (view, found)


def chromium():
    named = [os.environ["CHROMIUM"]] if "CHROMIUM" in os.environ else []
    found = next(filter(None, map(shutil.which, named + NAMES)), None)
    assert found, "Chromium not found: install it, or set CHROMIUM to its program"
    return found


class Server:
    """A context manager that runs the program with its own journal folder."""

    def __init__(self, program, folder):
        self.folder, self.gates = folder, Gates(folder)
        # This program is also the external engine for both games, because it speaks UCI and Hub.
        engines = [f"cmd={program},name=Chess engine,nodes=2000,option.Hash=4",
                   f"cmd={program} hub,name=Draughts engine,proto=hub,nodes=2000",
                   f"cmd={self.gates.command('patient', program)},name=Patient engine,nodes=2000,option.Hash=4",
                   "cmd=sh -c 'sleep 0.3',name=Broken"]
        self.command = [program, "board", "--port", "0", "--journal", folder]
        self.command += ["--tb", str(Path(__file__).parent.parent / "syzygy")]
        self.command += [word for engine in engines for word in ["--engine", engine]]

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+", self.process.stdout.readline())[0]

    def seconds(self):
        """Returns the processor time used by the program."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, how=signal.SIGINT):
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE / 1000)
        assert how == signal.SIGKILL or code == 0, code


class Tab:
    """A page of the board."""

    def __init__(self, browser, server, **options):
        self.faults, self.responses = [], []
        self.context = browser.new_context(reduced_motion="reduce", **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", lambda said: said.type == "error" and self.faults.append(said.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("response", lambda response: self.responses.append(response))
        self.page.on("request", lambda asked: asked.url.startswith(server.address.rsplit("/", 2)[0])
                     or asked.url.startswith(("blob:", "ws:")) or self.faults.append(asked.url))
        if "PAGE" in os.environ:
            self.context.route(re.compile("/[a-z]*\\.(js|css|svg)$|/$"), self.from_folder)
        self.page.goto(server.address)
        self.page.wait_for_selector("html[data-live=yes]")

    def reload(self):
        """Loads the page again, and waits until its scripts run: they are loaded after the first paint."""
        self.page.reload()
        self.page.wait_for_selector("html[data-live=yes]")

    @staticmethod
    def from_folder(route):
        name = route.request.url.rsplit("/", 1)[1] or "index.html"
        kinds = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "html": "text/html"}
        folders = [Path(os.environ["PAGE"], "../../page"), Path(os.environ["PAGE"])]
        if name == "board.css":
            # Concatenate the style sheets, as the server does.
            files = [file for folder in folders for file in sorted(folder.glob("*.css"))]
            return route.fulfill(body="".join(file.read_text() for file in files if file.stem in STYLES), content_type="text/css")
        path = next(folder / name for folder in folders if (folder / name).exists())
        route.fulfill(path=path, content_type=f"{kinds[name.rsplit('.', 1)[1]]}; charset=utf-8")

    def bytes(self):
        """Returns the number of bytes that the page has fetched."""
        return sum(len(response.body()) for response in self.responses if response.url.startswith("http"))

    def close(self):
        self.context.close()
        assert not self.faults, self.faults

    def new(self, game="chess", you="white", level="full", clock="-", start="", against=""):
        page = self.page
        if not page.locator("#new-dialog").is_visible():
            page.click("#new")
        page.select_option("#game", game)
        page.select_option("#you", you)
        if you != "both":
            page.select_option("#against", against)
        if you != "both" and not against:
            page.select_option("#level", level)
        page.fill("#time", clock)
        if game != "chess960":
            if page.locator("#odds").is_visible():
                page.select_option("#odds", "")
            page.fill("#start", start)
        before = page.evaluate("sessionStorage.getItem('game')")
        page.click("#begin")
        if page.locator("#sure").is_visible():
            page.click("#sure-yes")
        page.wait_for_function("before => ![before, null].includes(sessionStorage.getItem('game'))", arg=before)

    def study(self, game, text):
        page = self.page
        if page.locator("#new-dialog").is_visible():
            page.keyboard.press("Escape")
        page.click("#study")
        page.fill("#study-text", text)
        page.select_option("#study-game", game)
        page.click("#look")
        expect(page.locator("#study-dialog")).to_be_hidden()

    @contextmanager
    def menu(self):
        """Opens the menu of settings, and closes it at the end of the `with` block."""
        self.page.click("#more")
        yield
        self.page.keyboard.press("Escape")
        expect(self.page.locator("#menu")).to_be_hidden()

    def square(self, number):
        return self.page.locator(f'#board [data-square="{number}"]')

    def middle(self, number):
        box = self.square(number).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, *squares):
        for number in squares:
            self.page.mouse.click(*self.middle(number))

    def drag(self, start, end):
        mouse = self.page.mouse
        mouse.move(*self.middle(start))
        mouse.down()
        mouse.move(*self.middle(end), steps=4)
        mouse.up()

    def play(self, text):
        """Types a move into the move field."""
        self.page.fill("#text", text)
        self.page.press("#text", "Enter")

    def has_plies(self, count):
        expect(self.page.locator("#moves button")).to_have_count(count)

    def says(self, text):
        """Waits until the status line has this text."""
        expect(self.page.locator("#status")).to_contain_text(text)

    def plies(self):
        return self.page.locator("#moves button").count()

    def ending(self):
        return self.page.locator("#moves .ending").count() > 0

    def labels(self):
        """Returns the label of each square."""
        read = "all => all.map(one => [Number(one.dataset.square), one.ariaLabel, one.className])"
        return self.page.locator("#board [data-square]").evaluate_all(read)

    def marked(self, label):
        """Returns the squares with labels that end in this text."""
        return [square for square, said, _ in self.labels() if said.endswith(label)]

    def wait_for_turn(self):
        """Waits until the user is to move or the game is over. Returns whether the game continues."""
        self.page.wait_for_function(
            "() => document.querySelector('#moves .ending') || document.querySelector('#board .movable')")
        return not self.ending()


# Returns the effect of a click on a square: a question, a route that needs more squares, or a complete move. Returns
# null until the page has reacted.
SETTLED = """([plies, chosen]) =>
    document.querySelector("#choice").open ? "asked"
    : document.querySelector("#moves .ending") || document.querySelectorAll("#moves button").length > plies ? "moved"
    : document.querySelectorAll("#board [aria-label$=selected]").length > chosen ? "on the way"
    : null"""


def move(tab, rng, drags=False):
    """Plays a random move, by clicks or by dragging."""
    page, plies = tab.page, tab.plies()
    start = rng.choice([square for square, _, name in tab.labels() if "movable" in name])
    tab.click(start)
    chosen = page.locator("#board [aria-label$=selected]")
    expect(chosen).to_have_count(1)
    end = rng.choice(tab.marked("legal destination"))
    if drags:
        page.keyboard.press("Escape")
        expect(chosen).to_have_count(0)
        tab.drag(start, end)
    else:
        tab.click(end)
    way = 1
    while (now := page.wait_for_function(SETTLED, arg=[plies, way]).json_value()) != "moved":
        if now == "asked":
            page.locator("#choices button").first.click()
        else:
            # The capture is not complete yet. It may end on its origin square.
            way = chosen.count()
            tab.click((tab.marked("legal destination") or [start])[-1])


def by_mouse(tab, rng, most):
    """Plays random moves, by clicks and by dragging."""
    for number in range(most):
        if not tab.wait_for_turn():
            return
        move(tab, rng, drags=number % 2 == 1)
    assert tab.ending(), f"{most} moves are not enough"


def a_whole_game_of_chess_by_mouse(browser, server):
    tab = Tab(browser, server)
    assert tab.bytes() < 200_000, tab.bytes()
    tab.new(level="elo 2000")
    by_mouse(tab, random.Random(1), 150)
    tab.says(re.compile(r"(wins|Draw): .*\(\d"))
    with tab.page.expect_download() as download:
        tab.page.click("#save")
    record = Path(download.value.path()).read_text()
    for part in ['[White "Player"]', r'\[Black "Adoube \d+\.\d+\.\d+[^ ]*"\]', '[BlackElo "2000"]', "[ECO ", "[Opening ", "1."]:
        assert part in record or re.search(part, record), (part, record)
    tab.close()


def a_whole_game_of_draughts_by_mouse(browser, server):
    tab = Tab(browser, server)
    tab.new("draughts", level="skill 4")
    by_mouse(tab, random.Random(2), 200)
    tab.says(re.compile("wins|Draw"))
    tab.close()


def a_game_by_keyboard_alone(browser, server):
    """Plays the shortest mate with the arrow keys and Enter, and types its last move; then plays a draughts move."""
    tab = Tab(browser, server)
    page = tab.page
    page.keyboard.press("Escape")
    page.locator("#new").focus()
    page.keyboard.press("Enter")
    page.locator("#you").focus()
    page.keyboard.press("End")
    expect(page.locator("#you")).to_have_value("both")
    page.locator("#start").focus()
    page.keyboard.press("Enter")
    expect(tab.square(0)).to_be_visible()

    def go(number):
        at = int(page.evaluate("document.activeElement.dataset.square"))
        steps = [("ArrowRight", number % 8 - at % 8), ("ArrowDown", number // 8 - at // 8)]
        for key, count in steps:
            back = {"ArrowRight": "ArrowLeft", "ArrowDown": "ArrowUp"}[key]
            for _ in range(abs(count)):
                page.keyboard.press(key if count > 0 else back)
        page.keyboard.press("Enter")

    tab.square(52).focus()
    for start, end, spoken in [(53, 45, "pawn f2 to f3"), (12, 28, "pawn e7 to e5"), (54, 38, "pawn g2 to g4")]:
        go(start)
        expect(tab.square(start)).to_have_attribute("aria-label", re.compile("selected"))
        go(end)
        tab.says(spoken)
    page.locator("#text").focus()
    page.keyboard.type("Ke2")
    page.keyboard.press("Enter")
    expect(page.locator("#alert")).to_contain_text("Ke2")
    page.keyboard.type("Qh4")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text(re.compile("queen d8 to h4, checkmate. Black wins: checkmate"))
    tab.new("draughts", you="both")
    tab.square(31).focus()
    for key in ["Enter", "ArrowUp", "Space"]:
        page.keyboard.press(key)
    expect(page.locator("#status")).to_have_text("White: 32 to 27. Black to move.")
    tab.close()


def a_promotion_is_chosen(browser, server):
    tab = Tab(browser, server)
    tab.new(you="both", start="8/P6k/8/8/8/8/8/K7 w - - 0 1")
    tab.drag(8, 0)
    buttons = tab.page.locator("#choices button")
    expect(buttons).to_have_count(4)
    knight = next(i for i in range(4) if "♘" in buttons.nth(i).inner_text())
    buttons.nth(knight).click()
    expect(tab.square(0)).to_have_attribute("aria-label", "a8, white knight")
    # The promotion can be taken back.
    tab.page.click("#take-back")
    expect(tab.square(8)).to_have_attribute("aria-label", "a7, white pawn")
    tab.close()


def castling_at_chess960_by_number(browser, server):
    tab = Tab(browser, server)
    tab.page.select_option("#game", "chess960")
    tab.page.fill("#number", "0")
    tab.new("chess960", you="both")
    expect(tab.square(63)).to_have_attribute("aria-label", "h1, white rook")
    expect(tab.square(56)).to_have_attribute("aria-label", "a1, white bishop")
    tab.new(you="both", start="4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    tab.click(60, 62)
    expect(tab.square(61)).to_have_attribute("aria-label", "f1, white rook")
    tab.page.click("#take-back")
    expect(tab.square(60)).to_have_attribute("aria-label", "e1, white king")
    tab.click(60, 56)
    expect(tab.square(58)).to_have_attribute("aria-label", "c1, white king")
    tab.close()


def variants_of_draughts_and_odds(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    for game in ["killer", "frisian", "losing"]:
        tab.new(game, level="skill 0")
        move(tab, random.Random(4))
        expect(page.locator("#moves button")).to_have_count(2)
        expect(page.locator("#fen")).to_have_value(re.compile(f":V{game}$"))
    # In Frisian draughts a man also captures horizontally and vertically.
    tab.new("frisian", you="both", start="W:W38:B28,7")
    tab.click(37, 17)
    expect(tab.square(27)).to_have_attribute("aria-label", "28, empty")
    tab.new("bt", you="both", start="W:W6:B45")
    tab.click(5, 0)
    expect(page.locator("#status")).to_contain_text("White wins: the first king")
    for game, odds, missing in [("chess", "rook", 56), ("chess", "pawn and move", 13), ("draughts", "3", 47)]:
        page.click("#new")
        page.select_option("#game", game)
        if page.locator("#start").is_visible():
            page.fill("#start", "")
        page.select_option("#odds", odds)
        page.select_option("#you", "both")
        page.click("#begin")
        expect(tab.square(missing)).to_have_attribute("aria-label", re.compile(", empty$"))
    page.click("#new")
    page.select_option("#game", "chess")
    page.select_option("#odds", "pawn and two moves")
    page.fill("#given", "e4 Nf3")
    page.click("#begin")
    expect(tab.square(45)).to_have_attribute("aria-label", "f3, white knight")
    expect(page.locator("#status")).to_contain_text("Black to move")
    page.click("#new")
    page.fill("#given", "e4 e5")
    page.click("#begin")
    expect(page.locator("#new-error")).not_to_be_empty()
    tab.close()


def a_rafle_with_two_routes(browser, server):
    """Two captures have the same origin and destination. The route on the board or a question decides between them."""
    for way in ["asked", "squares"]:
        tab = Tab(browser, server)
        tab.new("draughts", you="both", start=TWO_ROUTES[0])
        start, end, via = TWO_ROUTES[1:]
        if way == "asked":
            tab.click(start - 1, end - 1)
            expect(tab.page.locator("#choices button")).to_have_count(2)
            tab.page.locator("#choices button").nth(1).click()
        else:
            tab.click(start - 1, via - 1, end - 1)
            expect(tab.page.locator("#choice")).to_be_hidden()
        expect(tab.page.locator("#moves button")).to_have_count(1)
        expect(tab.page.locator("#board .moved-way"), "the whole route is shown").to_have_count(1)
        tab.close()


def a_game_outlives_reload_and_server(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    tab.new("draughts", level="skill 0", clock="5m+3")
    tab.play("32-28")
    tab.has_plies(2)
    before = tab.labels()
    tab.reload()
    expect(page.locator("#moves button")).to_have_count(2)
    assert tab.labels() == before
    # Another tab takes over the game.
    game = page.evaluate("sessionStorage.getItem('game')")
    other = tab.context.new_page()
    other.goto(server.address)
    other.wait_for_selector("html[data-live=yes]")
    other.evaluate(f"sessionStorage.setItem('game', '{game}')")
    other.reload()
    expect(other.locator("#moves button")).to_have_count(2)
    expect(page.locator("#alert")).to_contain_text("another tab")
    tab.close()

    server.end(signal.SIGKILL)
    server.start()
    tab = Tab(browser, server)
    offered = tab.page.locator("#unfinished p", has_text="Draughts, you play white against Adoube (skill 0), 1 move, 5+3, begun").first
    offered.get_by_text("Resume").click()
    expect(tab.page.locator("#moves button")).to_have_count(2)
    assert tab.labels() == before
    tab.page.click("#resign")
    tab.page.click("#sure-yes")
    expect(tab.page.locator("#status")).to_contain_text("Black wins: resignation")
    # A resignation is taken back without a move.
    tab.page.click("#take-back")
    expect(tab.page.locator("#resign")).to_be_enabled()
    tab.has_plies(2)
    # If a game cannot be opened, the page reports it and offers a new game.
    server.end(signal.SIGKILL)
    for journal in Path(server.folder).glob("*.jsonl"):
        journal.unlink()
    server.start()
    tab.page.goto(server.address)
    tab.page.wait_for_selector("html[data-live=yes]")
    expect(tab.page.locator("#new-dialog")).to_be_visible()
    tab.page.evaluate("sessionStorage.setItem('game', '0123456789abcdef')")
    tab.reload()
    expect(tab.page.locator("#new-error")).to_contain_text("cannot be continued: the game is no longer stored")
    expect(tab.page.locator("#status")).to_be_empty()
    tab.context.close()


def reopening_a_game_returns_no_time(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    left = lambda page: sum(float(part) * unit for part, unit in zip(reversed(page.locator("#below .clock").inner_text().split(":")), [1, 60]))
    tab.new(you="both", clock="5+0")
    page.wait_for_timeout(2500)
    tab.reload()
    expect(page.locator("#resign")).to_be_enabled()
    assert left(page) <= 298, left(page)
    tab.play("e4")
    tab.has_plies(1)
    # Another tab lists the open game, cannot delete it, and takes it over with its clock.
    page.wait_for_timeout(2500)
    other = tab.context.new_page()
    other.goto(server.address)
    listed = other.locator("#unfinished p", has_text="5+0").filter(has_text="open in another tab")
    expect(listed.locator("button")).to_have_text(["Resume"])
    listed.get_by_text("Resume").click()
    expect(other.locator("#moves button")).to_have_count(1)
    expect(page.locator("#alert")).to_contain_text("another tab")
    other.click("#flip")
    assert left(other) <= 298, left(other)
    # A stopped server stores the clock.
    other.wait_for_timeout(2000)
    server.end()
    server.start()
    tab.context.close()
    tab = Tab(browser, server)
    tab.page.locator("#unfinished p", has_text="two players, 1 move, 5+0").get_by_text("Resume").first.click()
    tab.has_plies(1)
    tab.page.click("#flip")
    assert left(tab.page) <= 296, left(tab.page)
    tab.close()


def the_terms_of_the_last_game_are_remembered(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    tab.new("draughts", you="black", level="skill 4", clock="3+2")
    tab.new(you="black", level="elo 2000", clock="10+5")
    tab.reload()
    page.click("#new")
    for field, value in [("game", "chess"), ("you", "black"), ("level", "elo 2000"), ("time", "10+5")]:
        expect(page.locator(f"#{field}")).to_have_value(value)
    page.select_option("#game", "draughts")
    expect(page.locator("#level"), "each game has its own level").to_have_value("skill 4")
    tab.close()


def two_people_agree_a_draw(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    page.select_option("#you", "both")
    page.fill("#white-name", "Anna")
    page.fill("#black-name", "Boris <b>")
    tab.new(you="both")
    expect(page.locator("#above .name")).to_have_text("Boris <b>")
    tab.play("e4")
    tab.has_plies(1)
    expect(page.locator("#offer"), "both players must have moved").to_be_disabled()
    tab.play("e5")
    tab.has_plies(2)
    page.get_by_text("Agree draw").click()
    expect(page.locator("#sure-title")).to_have_text("Agree a draw?")
    page.click("#sure-yes")
    tab.says("Draw by agreement")
    with page.expect_download() as download:
        page.click("#save")
    record = Path(download.value.path()).read_text()
    for part in ['[White "Anna"]', '[Black "Boris <b>"]', '[Result "1/2-1/2"]', '[Termination "normal"]']:
        assert part in record, record
    # The game goes on after a takeback. A rematch exchanges the names.
    page.click("#take-back")
    tab.play("Nf3")
    tab.has_plies(3)
    page.click("#resign")
    page.click("#sure-yes")
    page.click("#rematch")
    tab.has_plies(0)
    expect(page.locator("#below .name")).to_have_text("Boris <b>")
    # The browser remembers the names.
    tab.reload()
    page.click("#new")
    expect(page.locator("#white-name")).to_have_value("Anna")
    page.select_option("#you", "white")
    page.fill("#your-name", "Carla")
    tab.new(level="full")
    expect(page.locator("#below .name")).to_have_text("Carla")
    # In draughts, a draw can be offered at any time.
    tab.new("draughts", you="both")
    tab.play("32-28")
    tab.has_plies(1)
    page.click("#offer")
    page.click("#sure-yes")
    tab.says("Draw by agreement")
    tab.close()


def the_first_page_has_the_menu(browser, server):
    for width, height in [(1280, 800), (390, 844)]:
        tab = Tab(browser, server, viewport={"width": width, "height": height})
        page = tab.page
        page.keyboard.press("Escape")
        button = page.locator("#more").bounding_box()
        assert button["y"] + button["height"] <= height, (button, "the menu button needs scrolling")
        page.click("#more")
        for hidden in ["#copy-fen", "#picture", "#fen", "#dictate", "#threads"]:
            expect(page.locator(hidden)).to_be_hidden()
        page.select_option("#theme", "blue")
        expect(page.locator("html[data-theme=blue]")).to_be_attached()
        page.select_option("#tongue", "fr")
        expect(page.locator("#new")).to_have_text("Nouvelle partie")
        page.keyboard.press("Escape")
        page.click("#new")
        tab.new(you="both")
        tab.click(52)
        expect(page.locator("#board [aria-label$=selected]")).to_have_count(1)
        # Escape closes the menu first. Escape again discards the chosen piece.
        with tab.menu():
            expect(page.locator("#copy-fen")).to_be_visible()
        expect(page.locator("#board [aria-label$=selected]")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator("#board [aria-label$=selected]")).to_have_count(0)
        tab.close()


def the_first_paint_needs_no_script(browser, server):
    tab = Tab(browser, server)
    script, style = [tab.page.evaluate("name => { const found = performance.getEntriesByType('resource').find(one => one.name.endsWith(name));"
                                       " return [found.startTime, found.responseEnd]; }", name) for name in ["/main.js", "/board.css"]]
    assert script[0] > style[1], (script, style)
    # A click before the scripts are loaded is not lost.
    tab.new(you="both")
    tab.page.route("**/main.js", lambda route: time.sleep(1) or route.fallback())
    tab.page.reload()
    tab.page.click("#study")
    expect(tab.page.locator("#study-dialog")).to_be_visible()
    tab.close()


def a_running_game_is_left_only_after_a_question(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    page.select_option("#level", "elo")
    page.fill("#elo", "1234")
    tab.new(level="elo", clock="5+3")
    expect(page.locator("#above .name")).to_have_text("Adoube (1234)")
    started = time.monotonic()
    tab.play("e4")
    tab.has_plies(2)
    assert time.monotonic() - started > 0.5, "a weak level takes a natural time for its move"
    page.click("#new")
    page.click("#begin")
    expect(page.locator("#sure-title")).to_contain_text("Leave this game?")
    page.locator("#sure [data-close]").click()
    expect(page.locator("#new-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    tab.has_plies(2)
    page.click("#new")
    page.click("#begin")
    page.click("#sure-yes")
    tab.has_plies(0)
    # The game that was left is listed without a reload.
    page.click("#new")
    left = page.locator("#unfinished p", has_text="Chess, you play white against Adoube (1234), 1 move, 5+3, begun")
    left.get_by_text("Resume").click()
    tab.has_plies(2)
    page.click("#resign")
    page.click("#sure-yes")
    tab.close()


def other_engines_are_played_against(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    rng = random.Random(3)
    for game, name in [("chess", "Chess engine"), ("draughts", "Draughts engine")]:
        tab.new(game, against=name, clock="5m+3")
        expect(page.locator("#above .name")).to_have_text(name)
        for plies in [2, 4]:
            assert tab.wait_for_turn()
            move(tab, rng)
            expect(page.locator("#moves button")).to_have_count(plies)
        page.click("#take-back")
        expect(page.locator("#moves button")).to_have_count(2)
        move(tab, rng)
        expect(page.locator("#moves button")).to_have_count(4)
    # Only the engines for the selected game are offered.
    page.click("#new")
    page.select_option("#game", "draughts")
    expect(page.locator("#against option")).to_have_text(["Adoube", "Draughts engine"])
    page.keyboard.press("Escape")
    # If an engine fails, the game can be continued.
    tab.new(against="Broken")
    tab.play("e4")
    expect(page.locator("#alert")).to_contain_text("Broken failed: ended")
    page.click("#take-back")
    expect(page.locator("#moves button")).to_have_count(0)
    tab.close()


def a_premove_is_played_or_forgotten(browser, server):
    """Tests premoves against an opponent that moves when released."""
    tab = Tab(browser, server)
    page = tab.page
    premoved = page.locator("#board [aria-label$=premove]")
    tab.new(against="Patient engine")
    tab.click(52, 36)
    tab.has_plies(1)
    tab.click(62, 45)
    expect(page.locator("#status")).to_have_text("Premove: g1 to f3.")
    expect(premoved).to_have_count(2)
    server.gates.let("patient", black=1)
    tab.has_plies(3)
    expect(premoved).to_have_count(0)
    # A premove is entered by dragging or by keyboard. Escape, a right click or an illegal premove cancels it.
    for forget in ["Escape", "click"]:
        tab.drag(51, 35)
        expect(premoved).to_have_count(2)
        if forget == "Escape":
            page.keyboard.press("Escape")
        else:
            page.mouse.click(*tab.middle(20), button="right")
        expect(premoved).to_have_count(0)
    tab.square(51).focus()
    for key in ["Enter", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "Enter"]:
        page.keyboard.press(key)
    expect(page.locator("#status")).to_have_text("Premove: d2 to d6.")
    server.gates.let("patient", black=2)
    tab.has_plies(4)
    tab.says("cannot be played")
    # A premoved promotion still asks for the piece.
    server.gates.let("patient", black=0)
    tab.new(against="Patient engine", start="7k/P7/8/8/8/8/8/K7 b - - 0 1")
    tab.drag(8, 0)
    expect(premoved).to_have_count(2)
    server.gates.let("patient", black=1)
    expect(page.locator("#choices button")).to_have_count(4)
    page.locator("#choices button").nth(1).click()
    tab.has_plies(2)
    tab.close()


def sounds_are_made_when_asked_for(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    page.evaluate("""() => {
        window.tones = 0;
        const make = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () { window.tones += 1; return make.call(this); };
    }""")
    tab.new(you="both")
    tab.click(52, 36)
    expect(page.locator("#moves button")).to_have_count(1)
    assert page.evaluate("tones") == 0
    with tab.menu():
        page.check("#sounds")
    heard = page.evaluate("tones")
    tab.click(11, 27)
    expect(page.locator("#moves button")).to_have_count(2)
    page.wait_for_function("count => tones === count", arg=heard + 1)
    tab.click(36, 27)
    expect(page.locator("#moves button")).to_have_count(3)
    # A capture has a different sound.
    page.wait_for_function("count => tones === count", arg=heard + 3)
    tab.close()


def a_flag_falls(browser, server):
    tab = Tab(browser, server)
    tab.new(clock="1.5s", level="elo 800")
    tab.says("Black wins")
    expect(tab.page.locator("#below .clock")).to_have_text("0.0")
    tab.close()


def a_game_is_studied(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    tab.study("chess", HOSTILE)
    expect(page.locator("#below .name")).to_have_text("<img src=x onerror=alert(1)>")
    expect(page.locator("main img")).to_have_count(0)
    expect(page.locator("#moves button")).to_have_count(4)
    page.keyboard.press("End")
    expect(page.locator("#board")).to_have_attribute("data-ply", "4")
    page.click("#back")
    expect(page.locator("#board")).to_have_attribute("data-ply", "3")
    page.click("#switch")
    expect(page.locator("#lines b")).to_have_count(3)
    expect(page.locator("#board .arrow").first).to_be_attached()
    expect(page.locator("#engine")).to_contain_text(re.compile(r"depth ([6-9]|\d\d)"))
    with tab.menu():
        page.select_option("#notation", "fr")
    expect(page.locator("#moves button").nth(2)).to_have_text("Cf3")
    # A new move begins a variation, and the engine analyses the new position.
    page.fill("#text", "d7d6")
    page.keyboard.press("Enter")
    expect(page.locator("#board")).to_have_attribute("data-ply", "4")
    expect(page.locator("#moves .variation button")).to_have_text(["d6"])
    expect(page.locator("#lines b")).to_have_count(3)
    tab.reload()
    expect(page.locator("#board")).to_have_attribute("data-ply", "4")
    expect(page.locator("#below .name")).to_have_text("<img src=x onerror=alert(1)>")
    page.click("#switch")
    expect(page.locator("#lines b")).to_have_count(3)
    tab.close()
    # Closing the tab has stopped its search.
    until = time.monotonic() + PATIENCE / 1000
    while (before := server.seconds()) is not None:
        time.sleep(0.5)
        if server.seconds() - before < 0.05:
            break
        assert time.monotonic() < until, "the engine is still searching"


def variations_are_edited_and_kept(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    moves = page.locator("#moves button")
    here = page.locator("#moves [aria-current]")
    tab.study("chess", HOSTILE)
    expect(moves).to_have_count(4)
    page.locator("#flip").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(here).to_have_text("e5")
    tab.click(53, 37)
    expect(moves).to_have_text(["e4", "e5", "♘f3", "f4", "♘c6"])
    expect(page.locator("#moves .variation button")).to_have_text(["f4"])
    tab.click(28, 37)
    expect(here).to_have_text("exf4")
    # With the keyboard: go back, switch to the other move and return, then enter a comment and glyphs.
    page.locator("#flip").focus()
    page.keyboard.press("ArrowLeft")
    expect(here).to_have_text("f4")
    page.keyboard.press("ArrowUp")
    expect(here).to_have_text("♘f3")
    expect(page.locator("#status")).to_contain_text("2, white: knight g1 to f3.")
    page.keyboard.press("ArrowDown")
    expect(here).to_have_text("f4")
    page.keyboard.press("c")
    page.keyboard.type("the <b>gambit</b>\nof kings")
    expect(page.locator("#moves .remark")).to_have_text(["the <b>gambit</b>", "of kings"])
    page.select_option("#sign", label="!? interesting move")
    expect(here).to_have_text("f4!?")
    page.select_option("#verdict", label="=")
    expect(here).to_have_text("f4!?=")
    page.locator("#promote").focus()
    page.keyboard.press("p")
    expect(moves).to_have_text(["e4", "e5", "f4!?=", "♘f3", "♘c6", "exf4"])
    expect(page.locator("#promote")).to_be_hidden()
    with page.expect_download() as download:
        page.click("#save")
    record = Path(download.value.path()).read_text()
    assert "2. f4 $5 $10 {the <b>gambit</b>} {of kings} (2. Nf3 Nc6) 2... exf4 *" in record.replace("\n", " "), record
    # Typed text is not lost if another action follows immediately.
    page.fill("#comment", "sharp")
    page.click("#first")
    expect(page.locator("#moves .remark")).to_have_text(["sharp"])
    texts = moves.all_inner_texts()
    tab.reload()
    expect(moves).to_have_text(texts)
    expect(page.locator("#board")).to_have_attribute("data-ply", "0")
    tab.study("chess", record)
    expect(page.locator("#moves .remark")).to_have_count(2)
    # Two moves are deleted only after a confirmation.
    moves.nth(2).click()
    expect(here).to_have_text("f4!?=")
    page.keyboard.press("Delete")
    expect(page.locator("#sure-title")).to_have_text("Delete 2 moves?")
    page.click("#sure-yes")
    expect(moves).to_have_text(["e4", "e5", "♘f3", "♘c6"])
    expect(here).to_have_text("e5")
    tab.study("draughts", "1. 32-28 (1. 31-27 {quiet} 18-23) 1... 19-23 *")
    expect(page.locator("#moves .variation button")).to_have_text(["31-27", "18-23"])
    page.click("#moves .variation button >> nth=1")
    expect(tab.square(22)).to_have_attribute("aria-label", re.compile("23, black man"))
    tab.close()


def a_whole_game_is_analysed(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    tab.study("chess", "1. e4 e5 2. Nf3 Nc6 3. Ng5 Qxg5 4. d3 *")
    expect(page.locator("#graph")).to_be_hidden()
    page.click("#judge")
    page.select_option("#effort", "movetime 10000")
    page.click("#review")
    expect(page.locator("#reviewed")).to_contain_text("of 8 positions")
    page.click("#cancel")
    expect(page.locator("#reviewing")).to_be_hidden()
    expect(page.locator("#graph")).to_be_hidden()
    page.select_option("#effort", "depth 12")
    page.click("#review")
    expect(page.locator("#status")).to_contain_text("has been analysed", timeout=60_000)
    blunder = page.locator("#moves li:not(.aside) button.blunder").first
    expect(blunder).to_contain_text("g5??")
    expect(page.locator("#moves .variation").first).to_be_visible()
    expect(page.locator("#accuracy")).to_contain_text(re.compile(r"White \d+\.\d%, Black \d+\.\d%"))
    page.locator("#turning button").first.click()
    expect(page.locator("#board")).to_have_attribute("data-ply", "5")
    box = page.locator("#graph").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 2 / 7, box["y"] + 20)
    expect(page.locator("#board")).to_have_attribute("data-ply", "2")
    # The game is still there after reloading the page.
    tab.reload()
    expect(blunder).to_contain_text("g5??")
    expect(page.locator("#graph .dot").first).to_be_attached()
    if "PICTURES" in os.environ:
        page.screenshot(path=f"{os.environ['PICTURES']}/analysed.png", full_page=True)
    tab.close()


def a_position_is_set_up(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    page.keyboard.press("Escape")

    def put(piece, *squares):
        page.locator(f"#palette [aria-label='{piece}']").check()
        for square in squares:
            page.locator(f"#setup-board [data-square='{square}']").click()

    page.click("#study")
    page.click("#set-up")
    expect(page.locator("#setup-board [data-square='60']")).to_have_attribute("aria-label", "e1, white king")
    expect(page.locator("#setup-analyse")).to_be_enabled()
    page.click("#setup-clear")
    expect(page.locator("#setup-error")).to_contain_text("0 kings")
    expect(page.locator("#setup-analyse")).to_be_disabled()
    put("white king", 60)
    put("black king", 4)
    expect(page.locator("#setup-error")).to_be_empty()
    put("white rook", 12, 63)
    page.select_option("#setup-turn", "white")
    expect(page.locator("#setup-error")).to_contain_text("in check from e7")
    # Placing the same piece again removes it; letter keys place pieces.
    put("white rook", 12)
    page.locator("#setup-board [data-square='63']").focus()
    for key in ["ArrowLeft", "Q", "Delete", "ArrowUp", "P", "ArrowRight"]:
        page.keyboard.press(key)
    page.check("#castling [value=K]")
    expect(page.locator("#setup-fen")).to_have_value("4k3/8/8/8/8/8/6P1/4K2R w K - 0 1")
    if "PICTURES" in os.environ:
        page.screenshot(path=f"{os.environ['PICTURES']}/setup.png")
    page.click("#setup-analyse")
    expect(page.locator("#setup-dialog")).to_be_hidden()
    expect(page.locator("#fen")).to_have_value("4k3/8/8/8/8/8/6P1/4K2R w K - 0 1")
    tab.click(60, 62)
    expect(page.locator("#moves button")).to_have_text(["0-0"])
    # A typed FEN is shown, and the position shown can be played.
    page.click("#study")
    page.select_option("#study-game", "draughts")
    page.click("#set-up")
    expect(page.locator("#setup-board [data-square='49']")).to_have_attribute("aria-label", "50, white man")
    page.fill("#setup-fen", "B:WK3,40:B45:Vfrisian")
    expect(page.locator("#setup-board [data-square='2']")).to_have_attribute("aria-label", "3, white king")
    put("white man", 3)
    expect(page.locator("#setup-error")).to_contain_text("promotion row")
    put("white king", 3)
    page.select_option("#setup-turn", "white")
    expect(page.locator("#setup-fen")).to_have_value("W:WK3,K4,40:B45:Vfrisian")
    expect(page.locator("#setup-play")).to_be_enabled()
    page.click("#setup-play")
    expect(page.locator("#game")).to_have_value("frisian")
    page.select_option("#you", "both")
    page.click("#begin")
    expect(tab.square(3)).to_have_attribute("aria-label", re.compile("4, white king"))
    assert page.input_value("#fen").endswith(":Vfrisian")
    tab.close()


def tables_of_endings_are_shown(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    known = page.locator("#known")
    tab.study("chess", "8/8/8/4k3/8/8/8/KQ6 w - - 0 1")
    expect(known).to_contain_text("White wins; ")
    expect(known).to_contain_text("(DTZ)")
    best = known.locator("button").first
    expect(best).to_have_class("win")
    best.click()
    expect(page.locator("#moves button")).to_have_count(1)
    expect(known).to_contain_text("White wins; ")
    tab.study("chess", "")
    expect(known).to_be_hidden()
    tab.study("draughts", "W:WK28:BK19")
    expect(known).to_contain_text("White wins")
    known.locator("button", has_text="28x14").click()
    expect(page.locator("#moves button")).to_have_text(["28x14"])
    tab.close()


def studies_at_every_size_and_colour_scheme(browser, server):
    """Checks that nothing is wider than the screen, and runs axe-core if AXE names its file."""
    folder, axe = os.environ.get("PICTURES"), os.environ.get("AXE")
    sizes = {"desk": (1280, 800), "full-hd": (1920, 1080), "phone": (390, 844), "wide": (3840, 2160)}
    game = ("1. e4 {[%eval 0.3]} e5 {[%eval 0.2] the old answer} (1... c5 $5 2. Nf3 (2. c3 {quiet} d5) 2... d6 {and so on})"
            " 2. Nf3 {[%eval 0.3]} Nc6 {[%eval 0.3]} 3. Ng5 $4 {[%eval -6.0]} (3. Bb5 a6 4. Ba4) 3... Qxg5 {[%eval -6.1]} *")

    def check(page, name):
        across = page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        assert across <= 0, (name, across)
        if axe:
            page.evaluate(Path(axe).read_text())
            found = page.evaluate("axe.run().then(all => all.violations.map(one => [one.id, one.help, "
                                  "one.nodes.map(node => node.html + node.failureSummary)]))")
            assert not found, (name, found)
        if folder:
            page.screenshot(path=f"{folder}/{name}.png", full_page=True)

    for scheme in ["light", "dark"]:
        for name, (width, height) in sizes.items():
            tab = Tab(browser, server, viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=bool(axe))
            page = tab.page
            tab.study("chess", game)
            page.locator("#moves button", has_text="g5??").click()
            expect(page.locator("#graph .dot")).to_have_count(1)
            expect(page.locator("#moves [aria-current]")).to_contain_text("g5??")
            check(page, f"study-{name}-{scheme}")
            for kind in ["chess", "draughts"]:
                page.click("#study")
                page.select_option("#study-game", kind)
                page.click("#set-up")
                expect(page.locator("#setup-analyse")).to_be_enabled()
                check(page, f"setup-{kind}-{name}-{scheme}")
                page.keyboard.press("Escape")
            tab.close()


def one_of_twenty_games_is_studied(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    page.keyboard.press("Escape")
    page.click("#study")
    games = [f'[Event "?"]\n[White "W{n}"]\n[Black "B{n}"]\n\n1. e4 e5 *\n' for n in range(1, 21)]
    file = {"name": "games.pgn", "mimeType": "text/plain", "buffer": "\n".join(games).encode()}
    page.set_input_files("#file", file)
    rows = page.locator("#listed tbody tr")
    expect(rows).to_have_count(20)
    expect(rows.nth(16).locator("td")).to_have_text(["17", "W17", "B17", "*", "", "", "1"])
    rows.nth(16).click()
    expect(page.locator("#below .name")).to_have_text("W17")
    # The list is kept for the next game. It can be sorted and searched.
    page.click("#study")
    page.click("#listed th >> text=White")
    expect(rows.nth(1)).to_contain_text("W10")
    page.fill("#search-games", "w18")
    expect(rows).to_have_count(1)
    expect(page.locator("#found")).to_have_text("1 of 20 games")
    page.press("#search-games", "Enter")
    expect(page.locator("#below .name")).to_have_text("W18")
    # Games need no tags; an unreadable game is listed as unreadable.
    page.click("#study")
    page.fill("#study-text", "1. e4 e5 2. Nf3 1-0\n\n1. e5 *\n\n[White \"A\"]\n\n1. d4 {[Event \"x\"]} *\n")
    expect(rows).to_have_count(3)
    expect(rows.first.locator("td")).to_have_text(["1", "?", "?", "1–0", "", "", "2"])
    expect(rows.nth(1)).to_contain_text("unreadable: ")
    rows.nth(2).click()
    expect(page.locator("#below .name")).to_have_text("A")
    tab.close()


def errors_are_shown(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    page.keyboard.press("Escape")
    for text, why in [("8/8/8/8/8/8/8/8 w - - 0 1", "Position: "), ("1. e5 *", "is not legal")]:
        page.click("#study")
        page.fill("#study-text", text)
        page.click("#look")
        expect(page.locator("#study-error")).to_contain_text(why)
        expect(page.locator("#study-dialog")).to_be_visible()
        page.keyboard.press("Escape")
    tab.new(you="both")
    tab.play("e4")
    tab.has_plies(1)
    # A bad entry leaves the dialog open and the game on the board unchanged.
    page.click("#new")
    for field, text, why in [("#time", "5min", "write 5+3"), ("#time", "0+0", "no time"), ("#start", "8/8 w", "Position: ")]:
        page.fill("#time", "-")
        page.fill(field, text)
        page.click("#begin")
        expect(page.locator("#new-error")).to_contain_text(why)
        expect(page.locator("#new-dialog")).to_be_visible()
    page.fill("#start", "")
    page.keyboard.press("Escape")
    tab.has_plies(1)
    tab.new(you="both")
    page.fill("#text", "e5")
    page.keyboard.press("Enter")
    expect(page.locator("#alert")).to_contain_text("e5")
    tab.close()


def every_size_and_colour_scheme(browser, server):
    folder = os.environ.get("PICTURES")
    sizes = {"desk": (1280, 800), "full-hd": (1920, 1080), "phone": (390, 844), "wide": (3840, 2160)}
    for scheme in ["light", "dark"]:
        for name, (width, height) in sizes.items():
            for game in ["chess", "draughts"]:
                viewport = {"width": width, "height": height}
                tab = Tab(browser, server, viewport=viewport, color_scheme=scheme)
                tab.new(game, you="both", clock="5m+3")
                for number, text in enumerate(OPENINGS[game].split(), 1):
                    tab.play(text)
                    tab.has_plies(number)
                across = tab.page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
                assert across <= 0, (name, across)
                board = tab.page.locator("#board").bounding_box()
                assert board["y"] + board["height"] <= height, "the board is on the screen"
                if folder:
                    tab.page.screenshot(path=f"{folder}/{game}-{name}-{scheme}.png")
                tab.close()


def the_picture_of_the_readme(browser, server):
    """Writes board.png to the folder PICTURES: a game with three engine lines."""
    folder = os.environ.get("PICTURES")
    if not folder:
        return print("skipped: set PICTURES to a folder")
    tab = Tab(browser, server, viewport={"width": 1280, "height": 800}, color_scheme="light")
    page = tab.page
    tab.study("chess", MIDDLE_GAME)
    page.keyboard.press("End")
    page.click("#switch")
    expect(page.locator("#lines b")).to_have_count(3)
    expect(page.locator("#engine")).to_contain_text(re.compile(r"depth (1[6-9]|[2-9]\d)"))
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    path = Path(folder, "board.png")
    page.screenshot(path=path)
    assert path.stat().st_size <= 160_000, path.stat().st_size
    tab.close()


TESTS = [
    a_whole_game_of_chess_by_mouse,
    a_whole_game_of_draughts_by_mouse,
    a_game_by_keyboard_alone,
    a_promotion_is_chosen,
    castling_at_chess960_by_number,
    variants_of_draughts_and_odds,
    a_rafle_with_two_routes,
    a_game_outlives_reload_and_server,
    reopening_a_game_returns_no_time,
    the_terms_of_the_last_game_are_remembered,
    two_people_agree_a_draw,
    the_first_page_has_the_menu,
    the_first_paint_needs_no_script,
    a_running_game_is_left_only_after_a_question,
    other_engines_are_played_against,
    a_premove_is_played_or_forgotten,
    sounds_are_made_when_asked_for,
    a_flag_falls,
    a_game_is_studied,
    variations_are_edited_and_kept,
    a_whole_game_is_analysed,
    a_position_is_set_up,
    tables_of_endings_are_shown,
    studies_at_every_size_and_colour_scheme,
    one_of_twenty_games_is_studied,
    errors_are_shown,
    every_size_and_colour_scheme,
    the_picture_of_the_readme,
]


def run(tests, program, names):
    """Runs all tests, or the tests with these names."""
    unknown = set(names) - {test.__name__ for test in tests}
    assert not unknown, f"no tests: {unknown}"
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder, Server(program, folder) as server:
        args = ["--no-sandbox"]
        if "PAGE" in os.environ:
            # Otherwise Chromium blocks requests to the local server from pages that were loaded from DIR.
            args.append("--disable-features=LocalNetworkAccessChecks")
        browser = playwright.chromium.launch(executable_path=chromium(), args=args)
        for test in tests:
            if not names or test.__name__ in names:
                began = time.monotonic()
                test(browser, server)
                print(f"{test.__name__}: {time.monotonic() - began:.1f} s", flush=True)
        server.end()
        browser.close()


if __name__ == "__main__":
    run(TESTS, sys.argv[1], sys.argv[2:])
