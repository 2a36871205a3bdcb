"""Uses `adoube board` like an analyst, a player and an arbiter, in Chromium driven by Playwright.

Usage: python engine-tests/clients/playwright_analysis.py target/release/adoube [TEST...]
(as playwright_board.py)
"""

import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
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
LATIN_1 = b'[White "M\xfcller"]\n\n1. c4 *\n'
SIZES = {"desk": (1280, 800), "phone": (390, 844), "full-hd": (1920, 1080)}


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
            assert page.evaluate("scrollY") == 0, (view, name, scheme, page.evaluate("scrollY"))
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
    tab.reload()
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
            else data.items.add(new File([typeof text === "string" ? text : new Uint8Array(text)], "a.pgn"));
            const event = how === "paste" ? new ClipboardEvent(how, { clipboardData: data, bubbles: true, cancelable: true })
                : new DragEvent(how, { dataTransfer: data, bubbles: true, cancelable: true });
            document.querySelector("#flip").dispatchEvent(event);
        }""", [text, how])

    paste("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")
    expect(page.locator("#fen")).to_have_value("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")
    paste("1. 32-28 19-23 *")
    expect(tab.square(27)).to_have_attribute("aria-label", re.compile("^28"))
    expect(page.locator("#moves button")).to_have_text(["32-28", "19-23"])
    page.click("#new")
    paste("1. d4 d5 2. c4 *", "drop")
    expect(page.locator("#new-dialog")).to_be_hidden()
    expect(page.locator("#moves button")).to_have_text(["d4", "d5", "c4"])
    # A dropped file in Latin-1 is decoded, and a file in UTF-16 or of more than 8 MB is refused.
    paste(list(LATIN_1), "drop")
    expect(page.locator("#moves button")).to_have_text(["c4"])
    expect(page.locator("#below .name")).to_have_text("Müller")
    for file, why in [(list("1. f4 *".encode("utf-16")), "UTF-16"), ("1. f4 *" + " " * 8_000_000, "limit is 8 MB")]:
        paste(file, "drop")
        expect(page.locator("#study-error")).to_contain_text(why)
        page.click("#study-dialog [data-close]")
    expect(page.locator("#moves button")).to_have_text(["c4"])
    # The dialog shows the text and the games of a chosen file, and adds the chosen variant.
    page.click("#study")
    page.set_input_files("#file", {"name": "a.pgn", "mimeType": "text/plain", "buffer": LATIN_1 + b"\n" + LATIN_1})
    expect(page.locator("#listed tbody tr")).to_have_count(2)
    expect(page.locator("#listed tbody tr").last).to_contain_text("Müller")
    expect(page.locator("#study-text")).to_have_value(re.compile("Müller"))
    page.select_option("#study-game", "killer")
    page.set_input_files("#file", {"name": "a.pdn", "mimeType": "text/plain", "buffer": b"1. 32-28 19-23 *"})
    expect(page.locator("#study-text")).to_have_value("1. 32-28 19-23 *")
    expect(page.locator("#study-game")).to_have_value("killer")
    expect(page.locator("#several")).to_be_hidden()
    page.click("#look")
    expect(page.locator("#heads")).to_contain_text("Killer draughts")
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
    page.keyboard.press("t")
    tab.says("White: 14 seconds. Black: 4 minutes 12 seconds.")
    page.keyboard.press("Home")
    expect(page.locator("#below .clock")).to_be_hidden()
    # Only known times are announced.
    page.keyboard.press("ArrowRight")
    expect(page.locator("#below .clock")).to_have_text("5:01")
    page.keyboard.press("t")
    expect(page.locator("#status")).to_have_text("White: 5 minutes 1 second.")
    tab.study("chess", "1. e4 e5 {[%clk 0:04:12]} 2. Nf3 *")
    page.keyboard.press("End")
    expect(page.locator("#above .clock")).to_have_text("4:12")
    page.keyboard.press("t")
    expect(page.locator("#status")).to_have_text("Black: 4 minutes 12 seconds.")
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
    # A rematch is possible from the analysis, even after a reload and from the list of games.
    expect(page.locator("#examine")).to_be_hidden()
    expect(page.locator("#rematch")).to_be_visible()
    tab.reload()
    tab.has_plies(1)
    expect(page.locator("#rematch")).to_be_visible()
    tab.study("chess", "1. d4 *")
    expect(page.locator("#rematch")).to_be_hidden()
    # The finished games are listed. Each can be opened, saved and deleted.
    page.click("#study")
    games = page.locator("#finished p")
    expect(games.first).to_contain_text(re.compile("Chess, you play black against Adoube, 1–0, 1 move, 5\\+3, begun"))
    listed = games.count()
    with page.expect_download() as download:
        games.first.get_by_role("button", name="save").click()
    assert '[Result "1-0"]' in Path(download.value.path()).read_text()
    games.first.get_by_role("button", name="Open").click()
    expect(page.locator("#study-dialog")).to_be_hidden()
    expect(page.locator("#heads")).to_contain_text("1–0")
    page.click("#rematch")
    expect(page.locator("#below .name")).to_have_text("You")
    expect(page.locator("#below .name")).to_have_class("name white")
    page.click("#study")
    games.first.get_by_role("button", name="delete").click()
    page.click("#sure [data-close]")
    games.first.get_by_role("button", name="delete").click()
    page.click("#sure-yes")
    expect(games).to_have_count(listed - 1)
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


def a_game_too_long_for_the_browsers_storage_is_shown(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    tab.study("chess", GAME)
    tab.study("chess", f"1. e4 {{{'x' * 5_300_000}}} d5 *")
    expect(page.locator("#moves button")).to_have_text(["e4", "d5"])
    assert page.evaluate("sessionStorage.getItem('study')") is None
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
    # Typing updates the FEN, so that a late answer about an earlier FEN does not overwrite the number.
    page.fill("#setup-number", "30")
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
    tab.new(you="both", start="4k3/8/8/8/8/8/p7/R3K2R w KQ - 0 1")
    for plies, text in enumerate(["O-O", "Kd7"], 1):
        tab.play(text)
        tab.has_plies(plies)
    tab.play("O-O")
    expect(tab.page.locator("#alert")).to_have_text("O-O is not legal: the king on g1 has already castled or moved")
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
    tab.reload()
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


# Returns the lowest of three contrasts of a mark. One is the contrast of the mark with its halo. The others are for
# light and dark squares: the contrast of the square with the mark or with the halo, whichever is higher.
CONTRAST = """name => {
    const channels = text => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const light = text => channels(text).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, index) => sum + c * [0.2126, 0.7152, 0.0722][index], 0);
    const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    const of = (selector, property) => getComputedStyle(document.querySelector(`#board ${selector}`))[property];
    const mark = of(name, "stroke"), halo = of(".halo", "stroke");
    const squares = [of(".light", "fill"), of(".dark", "fill")];
    return Math.min(contrast(mark, halo), ...squares.map(square => Math.max(contrast(mark, square), contrast(halo, square))));
}"""


def marks_of_captures_are_visible_on_every_board(browser, server):
    for scheme in ["light", "dark"]:
        tab = Tab(browser, server, color_scheme=scheme)
        page = tab.page
        for game, start, chosen, name in [
            ("draughts", "W:W28,40:B22", None, ".obliged"), ("draughts", "W:W28,40:B22", 27, ".victim"),
            ("chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", 36, ".target.taken"),
        ]:
            tab.new(game, you="both", start=start)
            if chosen is not None:
                tab.click(chosen)
            for theme in ["brown", "green", "blue", "grey"]:
                page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
                found = page.evaluate(CONTRAST, name)
                assert found >= 3, (scheme, theme, name, found)
        tab.close()


def nothing_of_a_game_is_lost_after_a_wrong_move(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    for game, text, said, kept in [
        ("chess", "1. e4 e5 2. Nf3 Qh7 {odd} 3. Bb5 a6 1-0", "move 2... Qh7: the side's own pawn on h7 is on the destination square;", "not read: 2... Qh7 (odd) 3. Bb5 a6"),
        ("draughts", "1. 32-28 19-23 2. 28-22 14x23 *", "move 2. 28-22: ", "not read: 2. 28-22 14x23"),
    ]:
        tab.study(game, text)
        tab.says(said)
        expect(page.locator("#moves .remark")).to_have_text(kept)
        with page.expect_download() as download:
            page.click("#save")
        saved = Path(download.value.path()).read_text()
        assert f"{{{kept}}}" in saved.replace("\n", " "), saved
    tab.close()


def the_board_looks_as_chosen(browser, server):
    """Changes the marks, the pieces and the animation, and opens the Zen mode and the keyboard help."""
    tab = Tab(browser, server, bypass_csp=True, viewport={"width": 1280, "height": 800})
    page = tab.page
    tab.new(you="both", start="8/P6k/8/8/8/8/8/K7 w - - 0 1", clock="5")
    parts = {"coordinates": "#board .names text", "hints": "#board .target"}
    tab.click(56)
    for name, part in parts.items():
        expect(page.locator(part).first).to_be_visible()
        with tab.menu():
            page.uncheck(f"#{name}")
        expect(page.locator(part).first).to_be_hidden()
    page.keyboard.press("Escape")
    # The promotion dialog does not cover the board. The option "Promote to a queen" replaces the dialog.
    tab.drag(8, 0)
    expect(page.locator("#choice")).to_be_visible()
    assert page.locator("#choice").bounding_box()["width"] < 600
    page.keyboard.press("Escape")
    with tab.menu():
        page.check("#queen")
        page.select_option("#set", "hidden")
        page.select_option("#animation", "off")
    tab.drag(8, 0)
    expect(tab.square(0)).to_have_attribute("aria-label", "a8, white queen")
    expect(page.locator("#board .piece").first).to_be_hidden()
    # Between two people the board turns to the player to move.
    expect(page.locator("#below .name")).to_have_text("White")
    page.click("#take-back")
    with tab.menu():
        page.check("#turn-board")
    tab.drag(8, 0)
    expect(page.locator("#below .name")).to_have_text("Black")
    # The browser remembers the settings.
    tab.reload()
    expect(page.locator("html[data-set=hidden][data-animation=off][data-queen=on][data-hints=off][data-coordinates=off]")).to_be_attached()
    expect(page.locator("#moves button")).to_have_count(1)
    page.keyboard.press("z")
    for hidden, shown in [("#new", "#board"), ("#resign", "#moves"), ("#below .name", "#below .clock")]:
        expect(page.locator(hidden)).to_be_hidden()
        expect(page.locator(shown)).to_be_visible()
    accessible(page, "Zen mode")
    page.keyboard.press("Escape")
    expect(page.locator("#new")).to_be_visible()
    with tab.menu():
        page.check("#zen")
    expect(page.locator("#new")).to_be_hidden()
    page.keyboard.press("z")
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).to_contain_text("flip the board")
    accessible(page, "help")
    page.keyboard.press("Escape")
    expect(page.locator("#help-dialog")).to_be_hidden()
    tab.close()


def threats_are_shown(browser, server):
    tab = Tab(browser, server, bypass_csp=True)
    page = tab.page
    tab.study("chess", "1. e4 e5 2. Qh5 Nc6 3. Bc4 *")
    page.keyboard.press("End")
    page.keyboard.press("x")
    expect(page.locator("#switch")).to_have_attribute("aria-checked", "true")
    expect(page.locator("#threat")).to_have_attribute("aria-pressed", "true")
    first = page.locator("#lines p").first
    expect(first).to_contain_text(re.compile(r"\+M1.*4\.♕xf7#"))
    expect(page.locator("#board .arrow.threat").first).to_be_attached()
    accessible(page, "threat")
    # A move of a threat cannot be added to the game.
    first.locator("[data-move]").first.click()
    with tab.menu():
        page.uncheck("#arrows")
    expect(page.locator("#board .arrow.threat").first).to_be_visible()
    page.click("#threat")
    expect(first).to_contain_text("3…")
    expect(page.locator("#board .arrow.rank-0")).to_be_hidden()
    tab.has_plies(5)
    # No threat is shown when the game is over, and there are no threats in draughts.
    page.click("#threat")
    tab.play("Nf6")
    tab.play("Qxf7")
    expect(page.locator("#effort-shown")).to_have_text("game over")
    page.click("#switch")
    with tab.menu():
        page.check("#arrows")
    tab.study("draughts", "")
    expect(page.locator("#threat")).to_be_hidden()
    tab.close()


def moves_are_replayed(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    board, replay = page.locator("#board"), page.locator("#replay")
    tab.study("chess", "1. e4 e5 2. Nf3 Nc6 3. Bb5 *")
    with tab.menu():
        page.select_option("#pace", "0.3")
    page.keyboard.press("Home")
    replay.click()
    expect(replay).to_have_attribute("aria-pressed", "true")
    expect(board).to_have_attribute("data-ply", "5")
    expect(replay).to_have_attribute("aria-pressed", "false")
    # A step of the user ends the replay.
    with tab.menu():
        page.select_option("#pace", "1")
    page.keyboard.press("Home")
    replay.click()
    page.keyboard.press("ArrowRight")
    expect(replay).to_have_attribute("aria-pressed", "false")
    expect(board).to_have_attribute("data-ply", "2")
    tab.close()


def the_engine_judges_moves_in_practice(browser, server):
    tab = Tab(browser, server, bypass_csp=True)
    page = tab.page
    text = page.locator("#practice-text")
    tab.study("chess", "r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    with tab.menu():
        page.select_option("#notation", "san")
    with tab.menu():
        page.click("#practise")
    expect(text).to_have_text("Your move.")
    expect(page.locator("#engine")).to_be_hidden()
    expect(page.locator("#board .arrow")).to_have_count(0)
    page.wait_for_timeout(500)
    page.click("#hint")
    expect(text).to_contain_text("Hint: Rxa8#.")
    accessible(page, "practice")
    tab.play("h3")
    expect(text).to_have_text("h3 is a blunder; Rxa8# was better. Your move.")
    tab.has_plies(2)
    page.click("#end-practice")
    expect(text).to_be_hidden()
    expect(page.locator("#engine")).to_be_visible()
    # A puzzle with the same start position ends practice.
    with tab.menu():
        page.click("#practise")
    expect(text).to_be_visible()
    puzzle = "r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Rxa8#;\n"
    page.click("#study")
    page.set_input_files("#file", {"name": "same.epd", "mimeType": "text/plain", "buffer": puzzle.encode()})
    page.click("#look")
    expect(page.locator("#study-dialog")).to_be_hidden()
    expect(text).to_be_hidden()
    tab.close()


def the_time_per_position_is_limited(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    tab.study("chess", GAME)
    with tab.menu():
        page.select_option("#seconds", "1")
    for engine in ["", "Chess engine"]:
        page.select_option("#engine-name", engine)
        page.click("#switch")
        expect(page.locator("#lines p")).to_have_count(3)
        page.wait_for_timeout(2000)
        depth = page.locator("#effort-shown").text_content()
        page.wait_for_timeout(2000)
        expect(page.locator("#effort-shown")).to_have_text(depth)
        expect(page.locator("#switch")).to_have_attribute("aria-checked", "true")
        page.click("#switch")
    with tab.menu():
        page.select_option("#seconds", "0")
    tab.close()


def tags_are_edited(browser, server):
    tab = Tab(browser, server, bypass_csp=True)
    page = tab.page
    tab.study("chess", GAME)
    page.click("#more")
    page.click("#edit-tags")
    dialog = page.locator("#tags-dialog")
    expect(dialog.locator("[name=White]")).to_have_value("Anna")
    expect(dialog.locator("[name=WhiteElo]")).to_have_value("2105")
    accessible(page, "tags")
    for name, value in [("White", "Carla \"C\""), ("BlackElo", "1990"), ("Event", "Final"), ("Site", "")]:
        dialog.locator(f"[name={name}]").fill(value)
    dialog.locator("[name=Result]").select_option("draw")
    dialog.locator(".main").click()
    expect(page.locator("#below .name")).to_have_text("Carla \"C\" (2105)")
    expect(page.locator("#above .name")).to_have_text("Boris (1990)")
    expect(page.locator("#heads")).to_contain_text("Final")
    with page.expect_download() as download:
        page.click("#save")
    record = Path(download.value.path()).read_text()
    for part in ['[White "Carla \\"C\\""]', '[BlackElo "1990"]', '[Event "Final"]', '[Site "?"]', '[Round "3"]', '[Result "1/2-1/2"]']:
        assert part in record, (part, record)
    page.click("#undo")
    expect(page.locator("#below .name")).to_have_text("Anna (2105)")
    # A new game can start from the displayed position.
    page.keyboard.press("End")
    page.click("#more")
    page.click("#play-on")
    expect(page.locator("#start")).to_have_value(re.compile("^r1bqkbnr/pppp1ppp/2n5"))
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
    with tab.menu():
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
    tab.close()


def the_whole_page_is_french(browser, server):
    tab = Tab(browser, server, locale="fr-FR", bypass_csp=True)
    page = tab.page
    # The browser's language is the default.
    expect(page.locator("html[lang=fr]")).to_be_attached()
    expect(page.locator("#new-title")).to_have_text("Nouvelle partie")
    expect(page.locator("#level option").first).to_have_text("pleine force")
    page.select_option("#game", "draughts")
    expect(page.locator("#odds option").nth(2)).to_have_text("2 pions de moins")
    expect(page.locator("#level option").nth(1)).to_have_text("niveau 0 sur 20")
    accessible(page, "French dialog")
    english = {"White", "Black", "move", "moves", "Engine", "Review", "Annotate", "Delete", "Undo", "Save", "mistake", "mistakes", "Accuracy", "Move",
               "Play", "Resign", "draw", "Draw", "Cancel", "Open", "Game", "Board", "Lines", "off", "Event", "Search", "Close", "Comment", "none",
               "expected", "Show", "Next", "Your", "Time", "Level", "Rating", "game", "Copy", "Size", "Half", "Side", "Language"}

    # The inner text of a select element does not contain its options. The names of openings are English.
    def is_french(view, place="body"):
        texts = page.locator(place).evaluate("node => [node.innerText, ...[...node.querySelectorAll('option')].map(one => one.innerText)]")
        words = set(re.findall(r"\w+", " ".join(texts).replace(page.locator("#heads").inner_text(), "")))
        assert not words & english, (view, words & english)

    is_french("new game", "#new-dialog")
    tab.new(you="both")
    tab.play("e4")
    tab.says("Blancs : e4. Trait aux Noirs.")
    is_french("play")
    page.fill("#text", "Dh6")
    page.press("#text", "Enter")
    expect(page.locator("#alert")).to_have_text("Dh6 n'est pas légal : aucune dame ne peut atteindre h6")
    page.click("#resign")
    is_french("question", "#sure")
    page.click("#sure-yes")
    tab.says("Les Blancs gagnent : abandon")
    page.click("#study")
    expect(page.locator("#finished p").first).to_contain_text(re.compile("Échecs, deux joueurs, 1–0, 1 coup, sans pendule, commencée le"))
    is_french("open", "#study-dialog")
    page.click("#set-up")
    is_french("set up", "#setup-dialog")
    expect(page.locator("#palette label").first).to_have_attribute("title", "roi blanc")
    page.click("#setup-clear")
    expect(page.locator("#setup-error")).to_have_text("Position : les Blancs ont 0 rois au lieu d'un")
    page.keyboard.press("Escape")
    page.click("#study")
    page.fill("#study-text", "8/8/8/8/8/8/8/x w - - 0 1")
    page.click("#look")
    expect(page.locator("#study-error")).to_have_text("Position : colonne 15 : « x » ne peut pas s'y trouver")
    page.keyboard.press("Escape")
    page.click("#new")
    page.fill("#time", "soon")
    page.click("#begin")
    expect(page.locator("#new-error")).to_contain_text("la cadence n'est pas lisible")
    page.fill("#time", "-")
    page.keyboard.press("Escape")
    # The messages about wrong moves and the comment with the unread moves are in French.
    tab.study("chess", "1. e4 e5 2. Nf3 Qh7 (2... d6) 3. Bb5 *")
    tab.says("ligne 1, colonne 17 : coup 2... Qh7 : le pion en h7, du même camp, occupe la case d'arrivée ; la suite de la partie est gardée en commentaire.")
    expect(page.locator("#moves")).to_contain_text("non lu : 2... Qh7 (2... d6) 3. Bb5")
    tab.study("draughts", "1. 32-28 19-23 2. 28-22 *")
    tab.says("ligne 1, colonne 19 : coup 2. 28-22 : les Blancs doivent prendre, par exemple 28x19 ; la suite de la partie est gardée en commentaire.")
    page.click("#study")
    page.fill("#study-text", "1. e4 *\n\n1. e5 *\n")
    page.select_option("#study-game", "chess")
    expect(page.locator("#listed")).to_contain_text("illisible : ligne 3, colonne 4 : ")
    is_french("list", "#study-dialog")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    is_french("help", "#help-dialog")
    page.keyboard.press("Escape")
    tab.study("chess", REVIEWED)
    page.click("#annotate")
    expect(page.locator("#learn-white")).to_have_text("2 erreurs des Blancs")
    expect(page.locator("#sign option").nth(1)).to_have_text("! bon coup")
    is_french("review")
    accessible(page, "French review")
    page.click("#learn-white")
    expect(page.locator("#lesson-text")).to_contain_text("Trouvez mieux.")
    is_french("lesson")
    page.click("#lesson-end")
    # The page changes back at once, and the browser remembers the choice.
    with tab.menu():
        is_french("menu", "#menu")
        page.select_option("#tongue", "en")
        expect(page.locator("html[lang=en]")).to_be_attached()
    expect(page.locator("#learn-white")).to_have_text("White’s 2 mistakes")
    expect(page.locator("#sign option").nth(1)).to_have_text("! good move")
    expect(page.locator("#new")).to_have_text("New game")
    tab.reload()
    expect(page.locator("#judge")).to_have_text("Review")
    tab.close()


# An engine that introduces itself and then never answers.
HANGING = """#!/bin/sh
while read line; do
    case $line in uci) echo uciok;; isready) echo readyok;; go*) exec sleep 98765.25;; esac
done
"""
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 30"


def hangs():
    """Returns whether the hanging engine has started a search. It then runs as `sleep`."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cmdline").read_bytes().startswith(b"sleep\x0098765.25"):
                return True
        except OSError:
            pass
    return False


def wait_until(is_so):
    end = time.monotonic() + PATIENCE / 1000
    while not is_so():
        assert time.monotonic() < end, "the hanging engine did not start, or outlives its tab"
        time.sleep(0.1)


def other_engines_analyse_side_by_side(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    first = lambda suffix="": page.locator(f"#lines{suffix} button[data-line='0'][data-move='0']")
    tab.study("chess", MATE_IN_ONE)
    expect(page.locator("#engine-name option")).to_have_text(["Adoube", "Chess engine", "Patient engine", "Broken"])
    page.select_option("#engine-name", "Chess engine")
    page.click("#switch")
    expect(first()).to_contain_text("d8#")
    expect(page.locator("#lines p"), "the number of lines is sent to the engine").to_have_count(3)
    expect(page.locator("#lines b").first).to_have_text("+M1")
    page.click("#second")
    expect(page.locator("#switch-2")).to_have_attribute("aria-checked", "true")
    page.select_option("#engine-name-2", "")
    expect(first("-2")).to_contain_text("d8#")
    page.select_option("#count", "1")
    for suffix in ["", "-2"]:
        expect(page.locator(f"#lines{suffix} p")).to_have_count(1)
        expect(first(suffix)).to_contain_text("d8#")
    # Both engines analyse the displayed position.
    tab.play("h3")
    tab.has_plies(1)
    for suffix in ["", "-2"]:
        expect(page.locator(f"#lines{suffix} .number").first).to_have_text("30…")
    # If an engine exits, its own panel reports the error. The other engine continues.
    page.select_option("#engine-name", "Broken")
    expect(page.locator("#engine-error")).to_contain_text(" before it sent uciok")
    expect(page.locator("#switch")).to_have_attribute("aria-checked", "false")
    expect(page.locator("#switch-2")).to_have_attribute("aria-checked", "true")
    tab.study("draughts", "W:WK28:B40,44")
    expect(page.locator("#engine-name option")).to_have_text(["Adoube", "Draughts engine"])
    page.select_option("#engine-name", "Draughts engine")
    page.click("#switch")
    expect(first()).to_be_visible()
    expect(page.locator("#engine-error")).to_be_empty()
    tab.close()


def an_engine_that_hangs_is_ended(browser, server):
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "hanging.sh")
        script.write_text(HANGING)
        with Server(server.command[0], folder) as own:
            own.end()
            own.command += ["--engine", f"cmd=sh {script},name=Hanging"]
            own.start()
            tab = Tab(browser, own)
            page = tab.page
            tab.study("chess", "1. e4 e5 *")
            page.select_option("#engine-name", "Hanging")
            page.click("#switch")
            expect(page.locator("#effort-shown")).to_have_text("starting…")
            # The page stays responsive while the server waits for the engine.
            page.locator("#flip").focus()
            page.keyboard.press("End")
            expect(page.locator("#board")).to_have_attribute("data-ply", "2")
            expect(page.locator("#engine-error")).to_have_text("Hanging did not stop its search within 10 s")
            page.click("#switch")
            expect(page.locator("#engine-error")).to_be_empty()
            expect(page.locator("#effort-shown")).to_have_text("starting…")
            wait_until(hangs)
            tab.close()
            wait_until(lambda: not hangs())
            own.end()


FILE = """[White "A"]
[Black "B"]
[WhiteElo "2000"]
[Result "1-0"]

1. e4 e5 1-0

[White "C"]
[Black "D"]
[WhiteElo "2200"]
[Result "1/2-1/2"]

1. e4 c5 1/2-1/2

[White "E"]
[Black "F"]
[Result "0-1"]

1. Nf3 d5 0-1
"""


def moves_played_are_counted(browser, server):
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder, "book.bin")
        # In the start position, the book contains e4 with weight 3 and d4 with weight 1.
        book.write_bytes(b"".join(struct.pack(">QHHI", 0x463B96181691FC9C, move, weight, 0) for move, weight in [(796, 3), (731, 1)]))
        with Server(server.command[0], folder) as own:
            own.end()
            own.command += ["--book", str(book)]
            own.start()
            tab = Tab(browser, own, bypass_csp=True)
            page = tab.page
            rows = page.locator("#played-moves tbody tr")
            cells = lambda: [[cell.strip() for cell in row] for row in rows.evaluate_all(
                "rows => rows.map(row => [...row.cells].map(cell => cell.querySelector('[role=img]')?.ariaLabel ?? cell.innerText))")]
            tab.study("chess", "")
            with tab.menu():
                page.select_option("#notation", "san")
            page.click("#study")
            page.fill("#study-text", FILE)
            expect(page.locator("#listed tbody tr")).to_have_count(3)
            page.locator("#listed tbody tr").nth(1).click()
            tab.has_plies(2)
            expect(page.locator("#played")).to_be_hidden()
            page.click("#explore")
            expect(rows).to_have_count(3)
            assert cells() == [
                ["e4", "2", "White wins 1, draws 1, Black wins 0", "2100", "75%"],
                ["Nf3", "1", "White wins 0, draws 0, Black wins 1", "", ""],
                ["d4", "–", "", "", "25%"],
            ], cells()
            accessible(page, "moves played")
            rows.first.locator("button").click()
            expect(page.locator("#board")).to_have_attribute("data-ply", "1")
            expect(rows).to_have_count(2)
            tab.play("a6")
            expect(page.locator("#played-about")).to_have_text("No move was played in this position (3 games).")
            # The table stays open, and a position from elsewhere is looked up in the same file.
            tab.study("chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
            expect(rows).to_have_count(2)
            tab.study("draughts", "1. 32-28 19-23 2-0\n\n1. 32-28 18-23 1-1\n")
            expect(rows.first).to_contain_text("32-28")
            assert cells()[0][:3] == ["32-28", "2", "White wins 1, draws 1, Black wins 0"], cells()
            assert len(cells()) > 1 and all(cell[4].endswith("%") for cell in cells()[1:]), "the moves of the built-in book"
            tab.close()
            own.end()
    wrong = subprocess.run([server.command[0], "board", "--port", "0", "--book", __file__], capture_output=True, text=True, timeout=30)
    assert wrong.returncode != 0 and "not a Polyglot book" in wrong.stderr, wrong


REVIEWED = """[White "Anna"]
[Black "Boris"]

1. e4 {[%eval 0.30]} e5 {[%eval 0.30]} 2. Nf3 {[%eval 0.30]} Nc6 {[%eval 0.30]} 3. Ng5 $4 {[%eval -4.00]}
(3. Bb5 {[%eval 0.30]} a6) 3... Qxg5 {[%eval -4.00]} 4. h3 $2 {[%eval -7.00]} (4. d4 {[%eval -4.00]} Qh4) *
"""


def mistakes_are_learned_from(browser, server):
    tab = Tab(browser, server, bypass_csp=True)
    page = tab.page
    text = page.locator("#lesson-text")
    tab.study("chess", REVIEWED)
    with tab.menu():
        page.select_option("#notation", "san")
    expect(page.locator("#learn-white")).to_have_text("White’s 2 mistakes")
    expect(page.locator("#learn-black")).to_be_hidden()
    page.click("#learn-white")
    expect(text).to_have_text("Mistake 1 of 2. White played Ng5. Find a better move.")
    expect(page.locator("#board")).to_have_attribute("data-ply", "4")
    for hidden in ["#moves", "#engine", "#story", "#forward", "#save"]:
        expect(page.locator(hidden)).to_be_hidden()
    accessible(page, "lesson")
    page.keyboard.press("ArrowRight")
    tab.play("Ng5")
    expect(text).to_contain_text("Ng5 was played in the game. Try another move.")
    tab.play("Nxe5")
    expect(text).to_contain_text("Nxe5 is not good enough.")
    expect(page.locator("#board")).to_have_attribute("data-ply", "4")
    # A move about as good as the better move is accepted after a short search.
    tab.drag(61, 34)
    expect(text).to_contain_text("Bc4 is about as good as the better move.")
    expect(text).to_contain_text("3. Bb5 a6")
    # The later moves stay hidden, because they show the answers to later tasks.
    expect(page.locator("#moves")).to_be_visible()
    tab.has_plies(7)
    expect(page.locator("#moves")).not_to_contain_text("d4")
    page.keyboard.press("End")
    expect(page.locator("#board")).to_have_attribute("data-ply", "5")
    expect(page.locator("#moves")).not_to_contain_text("Qxg5")
    page.click("#lesson-next")
    expect(text).to_contain_text("Mistake 2 of 2. White played h3.")
    # A lesson goes on after a reload.
    tab.reload()
    expect(text).to_contain_text("Mistake 2 of 2. White played h3.")
    expect(page.locator("#moves")).not_to_contain_text("d4")
    page.click("#lesson-answer")
    expect(text).to_contain_text("That was the last mistake.")
    expect(text).to_contain_text("4. d4 Qh4")
    page.click("#lesson-next")
    expect(text).to_contain_text("Mistake 1 of 2.")
    tab.play("Bb5")
    expect(text).to_contain_text("Bb5 is the better move.")
    page.click("#lesson-end")
    expect(page.locator("#lesson")).to_be_hidden()
    expect(page.locator("#engine")).to_be_visible()
    tab.has_plies(11)
    tab.close()


def a_review_shows_the_movers_points_and_stored_scores(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    tab.study("chess", "1. e4 {[%eval 0.30]} e5 {[%eval 0.30]} 2. Nf3 {[%eval 0.30]} f6 $2 {[%eval 2.50]} (2... Nc6 {[%eval 0.30]}) "
              "3. Nxe5 {[%eval 2.40]} Ke7 $4 {[%eval #3]} (3... Qe7 {[%eval 2.40]}) *")
    expect(page.locator("#phases")).to_have_text(re.compile(r"^Opening: \d+% / \d+%$"))
    expect(page.locator("#spent")).to_be_hidden()
    shares = page.locator("#turning small")
    expect(shares).to_have_count(2)
    for share in shares.all_inner_texts():
        before, after = map(int, re.findall(r"(\d+)%", share))
        assert before > after, "the points are Black's, who made the mistakes"
    bar, number = page.locator("#bar"), page.locator("#bar span")
    for ply, shown, label in [(1, "0.3", "+0.30"), (4, "2.5", "+2.50"), (6, "M3", "+M3")]:
        page.locator("#flip").focus()
        page.keyboard.press("Home")
        for _ in range(ply):
            page.keyboard.press("ArrowRight")
        expect(number, "the engine is off").to_have_text(shown)
        expect(bar).to_have_attribute("aria-label", re.compile(f"^evaluation {re.escape(label)},"))
    share = page.evaluate("parseFloat(document.querySelector('#bar').style.getPropertyValue('--share'))")
    assert share == 100, share
    page.keyboard.press("Home")
    expect(number).to_have_text("")
    # A game with clock times shows the time used for each move; a click on a bar goes to the move.
    tab.study("chess", '[TimeControl "300+2"]\n\n1. e4 {[%clk 0:05:01]} e5 {[%clk 0:04:52]} 2. Nf3 {[%clk 0:04:33]} *')
    page.click("#judge")
    expect(page.locator("#spent rect")).to_have_count(3)
    expect(page.locator("#spent title")).to_have_text(["1. 1 s", "1… 10 s", "2. 30 s"])
    page.locator("#spent rect").nth(2).click(force=True)
    expect(page.locator("#board")).to_have_attribute("data-ply", "3")
    tab.close()


def an_analysis_is_exported(browser, server):
    tab = Tab(browser, server)
    page = tab.page

    def saved(button):
        page.click("#more")
        with page.expect_download() as download:
            page.click(button)
        return download.value.suggested_filename, Path(download.value.path())

    tab.study("chess", "[White \"Anna\"]\n\n1. f3 e5 2. g4 d6 *")
    page.click("#more")
    expect(page.locator("#export")).to_be_disabled()
    expect(page.locator("#puzzles-epd")).to_be_hidden()
    page.keyboard.press("Escape")
    page.click("#judge")
    page.select_option("#effort", "depth 8")
    page.click("#review")
    tab.says("The game has been analysed.")
    name, path = saved("#picture-png")
    data = path.read_bytes()
    assert name == "position.png" and data.startswith(b"\x89PNG") and struct.unpack(">II", data[16:24]) == (1200, 1200)
    assert len(data) > 20_000, "an empty picture"
    name, path = saved("#puzzles-epd")
    assert name.endswith(".epd") and "bm Qh4#" in path.read_text(), path.read_text()
    name, path = saved("#puzzles-games")
    assert name.endswith(".pgn") and "Qh4#" in path.read_text() and "[FEN " in path.read_text(), path.read_text()
    name, path = saved("#export")
    assert name.endswith(".html")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "game.html")
        copy.write_bytes(path.read_bytes())
        other = tab.context.new_page()
        other.goto(copy.as_uri())
        expect(other.locator("html[data-ready]")).to_be_attached()
        expect(other.locator("h1")).to_contain_text("Anna")
        expect(other.locator(".moves button")).to_have_text([re.compile("^f3"), "e5", "g4??", "d6??"])
        other.close()
    tab.faults = [fault for fault in tab.faults if not fault.startswith("file:")]
    tab.close()


def puzzles_are_opened(browser, server):
    """Opens an EPD file. The solution of a puzzle is shown on request; a bad file leaves the dialog open."""
    tab = Tab(browser, server)
    page = tab.page
    page.keyboard.press("Escape")
    page.click("#study")

    def take(name, text):
        page.set_input_files("#file", {"name": name, "mimeType": "text/plain", "buffer": text.encode()})

    take("bad.pgn", "1. e5 *")
    page.click("#look")
    expect(page.locator("#study-error")).to_contain_text("is not legal")
    expect(page.locator("#study-dialog")).to_be_visible()
    first = 'rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - bm Qh4#; id "Anna - ?, 2...";'
    take("one.epd", first + "\n")
    page.click("#look")
    expect(page.locator("#study-dialog")).to_be_hidden()
    expect(page.locator("#heads")).to_contain_text("Anna - ?, 2...")
    expect(page.locator("#side")).not_to_contain_text("Qh4")
    page.click("#solution")
    tab.says("Solution: Qh4#")
    page.click("#study")
    take("two.epd", f"{first}\nlorem ipsum\n7k/5Q2/6K1/8/8/8/8/8 w - - bm Qg7#;\n")
    rows = page.locator("#listed tbody tr")
    expect(rows).to_have_count(3)
    rows.nth(0).click()
    expect(page.locator("#fen")).to_have_value(re.compile("^rnbqkbnr/pppp1ppp"))
    # The list survives a reload. A line that cannot be read is skipped.
    page.reload()
    page.click("#next-puzzle")
    expect(page.locator("#fen")).to_have_value(re.compile("^7k/5Q2/6K1"))
    expect(page.locator("#next-puzzle"), "this is the last puzzle").to_be_hidden()
    # A puzzle can be solved on the board.
    tab.play("Qa2")
    tab.says("This move does not solve the puzzle.")
    page.click("#first")
    tab.play("Qg7")
    tab.says("This move solves the puzzle.")
    page.click("#solution")
    tab.says("Solution: Qg7#")
    tab.close()


def a_letter_promotes(browser, server):
    tab = Tab(browser, server)
    tab.new(you="both", start="8/4P1k1/8/8/8/8/8/4K3 w - - 0 1")
    tab.click(12, 4)
    expect(tab.page.locator("#choice")).to_be_visible()
    tab.page.keyboard.press("x")
    expect(tab.page.locator("#choice")).to_be_visible()
    tab.page.keyboard.press("n")
    expect(tab.page.locator("#choice")).to_be_hidden()
    expect(tab.square(4)).to_have_attribute("aria-label", "e8, white knight")
    tab.close()


def variants_are_set_up_and_analysed(browser, server):
    tab = Tab(browser, server)
    page = tab.page
    for variant, name in [("frisian", "Frisian draughts"), ("bt", "Breakthrough draughts"), ("losing", "Losing draughts"), ("killer", "Killer draughts")]:
        tab.study(variant, "1. 32-28 *")
        expect(page.locator("#heads")).to_contain_text(name)
        tab.study(variant, "")
        expect(page.locator("#heads")).to_contain_text(name)
    page.click("#study")
    expect(page.locator("#study-game"), "the game on the board").to_have_value("killer")
    page.select_option("#study-game", "frisian")
    page.click("#set-up")
    expect(page.locator("#setup-fen")).to_have_value("W:W31-50:B1-20:Vfrisian")
    page.select_option("#setup-game", "bt")
    expect(page.locator("#setup-fen")).to_have_value("W:W31-50:B1-20:Vbt")
    page.click("#setup-analyse")
    expect(page.locator("#setup-dialog")).to_be_hidden()
    expect(page.locator("#heads")).to_contain_text("Breakthrough draughts")
    tab.close()


def clocks_fill_the_screen(browser, server):
    tab = Desk(browser, server, bypass_csp=True)
    page = tab.page
    tab.begin("fide-2023", "5+3", white="Anna")
    page.click("#whole-screen")
    clocks = page.locator("#clocks")
    expect(clocks.locator(".white")).to_contain_text("Anna")
    expect(clocks.locator(".white b")).to_have_text("5:00")
    accessible(page, "clocks")
    expect(clocks.locator(".runs")).to_have_count(0)
    page.keyboard.press("Space")
    expect(clocks.locator(".runs .name")).to_have_text("Anna")
    expect(clocks.locator(".white b")).to_have_text(re.compile("^4:5"))
    page.keyboard.press("Escape")
    expect(clocks).to_have_count(0)
    expect(page.locator("#press")).to_have_text("Clock running")
    with tab.menu():
        page.select_option("#tongue", "fr")
    page.get_by_role("button", name="Plein écran").click()
    expect(clocks.locator(".leave")).to_have_text("Quitter le plein écran")
    clocks.locator(".leave").click()
    expect(clocks).to_have_count(0)
    # A long clock time is not clipped.
    tab.begin("fide-2023", "10h", white="Anna")
    page.click("#whole-screen")
    expect(clocks.locator(".white b")).to_have_text("10:00:00")
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        for face in clocks.locator(".face").all():
            assert face.evaluate("face => face.scrollWidth <= face.clientWidth"), (width, height)
    tab.close()


def a_mistyped_event_stays_in_the_log(browser, server):
    tab = Desk(browser, server)
    page = tab.page
    tab.begin("fide-2009")
    tab.type("white move e4")
    page.click("#take-back")
    expect(page.locator("#log > li.struck")).to_contain_text("white move e2e4")
    tab.type("white move d4")
    text = tab.saved().read_text()
    assert "\n# struck: white move e2e4\nwhite move d2d4\n" in text, text
    tab.reload()
    expect(page.locator("#log > li")).to_have_count(2)
    expect(page.locator("#log > li").first).to_contain_text("Taken back: white move e2e4")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "game.log")
        path.write_text(text)
        check = subprocess.run([server.command[0], "referee", "--check", path], capture_output=True, text=True)
        assert check.returncode == 0, check
    tab.close()


def everything_fits_on_one_screen(browser, server):
    """Checks that nothing scrolls with two engines and the moves played, or in a lesson. PICTURES=DIR saves pictures."""
    for name, (width, height) in list(SIZES.items())[:2]:
        for scheme in ["light", "dark"]:
            tab = Tab(browser, server, viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=True)
            page = tab.page

            def fits(view, *parts):
                assert page.evaluate("scrollY") == 0, (view, name, scheme, page.evaluate("scrollY"))
                over = page.evaluate("(side => side.scrollHeight - side.clientHeight)(document.querySelector('#side'))")
                assert name == "phone" or over <= 0, (view, name, over)
                assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0, (view, name)
                for part in parts:
                    box = page.locator(part).bounding_box()
                    assert box and box["y"] >= 0 and box["y"] + box["height"] <= height, (view, name, part, box)
                if "PICTURES" in os.environ:
                    page.screenshot(path=f"{os.environ['PICTURES']}/{view}-{name}-{scheme}.png")
                accessible(page, (view, name, scheme))

            page.keyboard.press("Escape")
            page.click("#study")
            page.fill("#study-text", FILE)
            page.locator("#listed tbody tr").nth(1).click()
            tab.has_plies(2)
            page.click("#switch")
            page.click("#second")
            expect(page.locator("#lines p")).to_have_count(3)
            expect(page.locator("#lines-2 p")).to_have_count(3)
            fits("two-engines", "#board", "#lines", "#lines-2", "#forward")
            page.click("#explore")
            expect(page.locator("#played-moves tbody tr")).to_have_count(2)
            if name == "phone":
                page.click("#second")
            page.evaluate("scrollTo(0, 0)")
            fits("played", "#board", "#lines", "#played", "#forward")
            page.click("#explore")
            if name != "phone":
                page.click("#second")
            tab.study("chess", REVIEWED)
            page.evaluate("scrollTo(0, 0)")
            fits("reviewed", "#board")
            page.click("#switch")
            page.click("#annotate")
            page.evaluate("scrollTo(0, 0)")
            fits("annotated", "#board", "#moves", "#forward")
            assert page.locator("#moves").bounding_box()["height"] >= (110 if name == "phone" else 160), name
            page.click("#annotate")
            page.click("#switch")
            page.click("#learn-white")
            expect(page.locator("#lesson")).to_be_visible()
            page.evaluate("scrollTo(0, 0)")
            fits("lesson", "#board", "#lesson", "#lesson-answer")
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
    a_game_too_long_for_the_browsers_storage_is_shown,
    a_page_reconnects_to_a_new_server,
    a_set_up_position_keeps_rights_and_counters,
    errors_are_explained,
    a_player_sees_material_and_captures,
    marks_of_captures_are_visible_on_every_board,
    nothing_of_a_game_is_lost_after_a_wrong_move,
    the_board_looks_as_chosen,
    threats_are_shown,
    moves_are_replayed,
    the_engine_judges_moves_in_practice,
    the_time_per_position_is_limited,
    tags_are_edited,
    the_arbiters_page_is_french_throughout,
    the_whole_page_is_french,
    other_engines_analyse_side_by_side,
    an_engine_that_hangs_is_ended,
    moves_played_are_counted,
    mistakes_are_learned_from,
    a_review_shows_the_movers_points_and_stored_scores,
    an_analysis_is_exported,
    puzzles_are_opened,
    a_letter_promotes,
    variants_are_set_up_and_analysed,
    clocks_fill_the_screen,
    a_mistyped_event_stays_in_the_log,
    everything_fits_on_one_screen,
]


if __name__ == "__main__":
    run(TESTS, sys.argv[1], sys.argv[2:])
