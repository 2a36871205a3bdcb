"""Watches `adoube match --serve` like a spectator: a match of each game, from the first moves to the final page, in
Chromium driven by Playwright.

Usage: python engine-tests/clients/playwright_watch.py target/release/adoube [chess|draughts]
(needs `pip install playwright` and Chromium; PICTURES=DIR saves screenshots, AXE=axe.min.js checks accessibility)

Any error in the page's console and any request to another address is a failure. The engines move only when the test
releases them, so that the page is stable while it is checked.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import expect, sync_playwright

from gated_engine import ALL, Gates
from playwright_board import PATIENCE, accessible, chromium

HOSTILE = "<img src=x onerror=alert(1)>"
SIZES = {"desk": (1280, 800), "full-hd": (1920, 1080), "phone": (390, 844), "wide": (3840, 2160)}


class Match:
    """A running match of the engines a, b and so on, which make two moves in each game until they are released. Each
    engine is weaker than the previous one, so that few games are drawn.
    """

    def __init__(self, program, game, folder):
        self.gates = Gates(folder)
        names = [HOSTILE, "b", "</script><b>c", "d"] if game == "chess" else [HOSTILE, "b"]
        form = ["--games", "2", "--schedule", "knockout"] if game == "chess" else ["--games", "4"]
        command = [program, "match", "--serve", "--game", game, "--event", f"Test of {game}", *form, "--tc", "3600",
                   "--max-moves", "80", "--concurrency", "2", "--openings", "random:2"]
        for letter, name in zip("abcd", names):
            engine = self.gates.command(letter, program, *(["hub"] if game == "draughts" else []))
            nodes = {"a": 2000, "b": 200}.get(letter, 1)
            command += ["--engine", f"cmd={engine},name={name},tc=3600,nodes={nodes}"]
            self.let(letter, 2)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        said = []
        for line in self.process.stderr:
            said.append(line)
            if found := re.search(r"Watch the match at (http://\S+)", line):
                self.address = found[1]
                return
        raise AssertionError(f"the match does not print its address: {said}")

    def let(self, letters, moves):
        """Lets engines make this many moves in each game."""
        for letter in letters:
            self.gates.let(letter, white=moves, black=moves)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()

    def end(self):
        assert self.process.poll() is None, "the match has ended before its page was read"
        self.process.send_signal(signal.SIGINT)
        table, log = self.process.communicate(timeout=PATIENCE / 1000)
        assert self.process.returncode == 0, log
        assert HOSTILE in table, table


class Spectator:
    """A page of a match."""

    def __init__(self, browser, match, size, scheme):
        self.size, self.faults = f"{size}-{scheme}", []
        width, height = SIZES[size]
        self.context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme,
                                           bypass_csp="AXE" in os.environ)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", lambda said: said.type in ("error", "warning") and self.faults.append(said.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        own = match.address.split("/", 3)[2]
        self.page.on("request", lambda asked: asked.url.split("/", 3)[2] == own or self.faults.append(asked.url))
        self.page.goto(match.address)
        self.page.wait_for_selector("html[data-live=yes]")

    def picture(self, name):
        across = self.page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
        assert across <= 0, (self.size, name, across)
        if folder := os.environ.get("PICTURES"):
            self.page.screenshot(path=f"{folder}/watch-{name}-{self.size}.png", full_page=True)
        accessible(self.page, f"{name}, {self.size}")

    def close(self):
        self.context.close()
        assert not self.faults, self.faults


def watched(browser, match, game):
    spectators = [Spectator(browser, match, size, scheme)
                  for size, scheme in [("desk", "light"), ("phone", "dark"), ("wide", "dark"), ("phone", "light")]]
    for spectator in spectators:
        page = spectator.page
        expect(page.locator(".game")).to_have_count(2)
        expect(page.locator("#title")).to_have_text(f"Test of {game}")
        expect(page.locator(".game .piece").first).to_be_attached()
        expect(page.locator(".game h2 b").first).to_have_text(re.compile(r"\d+(\.|…) \S+"))
        if game == "chess":
            # With so few nodes, a Hub engine prints no search information.
            expect(page.locator(".game .note", has_text=re.compile(r"depth \d+")).first).to_be_attached()
        expect(page.locator("body")).to_contain_text(HOSTILE)
        expect(page.locator("main img, main b b"), "names are text").to_have_count(0)
        expect(page.locator("#tables h2").first).to_have_text("Standings")
    page = spectators[0].page
    # Clocks run between moves.
    clock = page.locator('.game[data-number="1"] .turn .clock')
    before = clock.inner_text()
    expect(clock).not_to_have_text(before)
    # White moves in the first game, and Black answers.
    before = page.locator('.game[data-number="1"]').get_attribute("data-last")
    match.gates.let("a", white=3)
    expect(page.locator('.game[data-number="1"]')).not_to_have_attribute("data-last", before)
    # A finished game is listed and can be replayed while other games are running.
    match.gates.let("a", white=ALL)
    match.let("bd" if game == "draughts" else "d", ALL)
    expect(page.locator("#ended tbody a").first).to_have_text("1" if game == "chess" else re.compile("1|3"))
    expect(page.locator("#status")).to_contain_text("Game ")
    expect(page.locator(".game")).to_have_count(2)
    for spectator in spectators:
        expect(spectator.page.locator("#ended tbody tr").first).to_be_visible()
        spectator.picture(f"{game}-live")
    number, path = page.locator("#ended tbody a").last.evaluate("a => [a.innerText, a.getAttribute('href')]")
    replay = spectators[0].context.new_page()
    replay.goto(match.address + path)
    expect(replay.locator("h3", has_text=f"Game {number}")).to_be_visible()
    expect(replay.locator(".board")).to_have_attribute("data-ply", "0")
    replay.keyboard.press("ArrowRight")
    expect(replay.locator(".board")).to_have_attribute("data-ply", "1")
    replay.close()
    if game == "chess":
        # The first semifinal is decided, and the second is still running. The final follows.
        match.let("a", ALL)
        expect(page.locator("#ended tbody tr")).to_have_count(2)
        expect(page.locator("#bracket .round")).to_have_count(2)
        expect(page.locator("#bracket li")).to_have_count(3)
        expect(page.locator("#bracket .through")).to_have_count(1)
        expect(page.locator("#bracket .round:last-child i")).to_have_count(1)
        # The box of the final is halfway between the boxes of the semifinals.
        boxes = [met.bounding_box() for met in page.locator("#bracket .met").all()]
        middles = [box["y"] + box["height"] / 2 for box in boxes]
        assert abs(middles[2] - (middles[0] + middles[1]) / 2) < 1.5, boxes
        match.let("ad", 2)
        match.let("bc", ALL)
        expect(page.locator("#bracket .through")).to_have_count(2)
        expect(page.locator("#bracket i")).to_have_count(0)
    match.let("abcd", ALL)
    # At the end each page is replaced by the report of the match.
    for spectator in spectators:
        page = spectator.page
        page.wait_for_url(re.compile("/report"), timeout=5 * PATIENCE)
        expect(page.locator("h1")).to_have_text(f"Test of {game}")
        expect(page.locator(".list tbody tr").first).to_be_visible()
        expect(page.locator("html")).to_have_attribute("data-ready", "")
        assert page.locator("html").get_attribute("data-error") is None
        expect(page.locator("section img")).to_have_count(0)
        expect(page.locator("h2", has_text="Engines")).to_be_visible()
        expect(page.locator(".bracket .through")).to_have_count(3 if game == "chess" else 0)
        assert sys.argv[1] not in page.content(), "the page shows a local path"
        spectator.picture(f"{game}-end")
    # A visitor who arrives after the match gets the report too.
    late = spectators[0].context.new_page()
    late.goto(match.address)
    expect(late.locator("h1")).to_have_text(f"Test of {game}")
    expect(late.locator(".list tbody tr").first).to_be_visible()
    # A link to a position shows the whole board.
    late.goto("about:blank")
    late.goto(f"{match.address}report#1.1")
    expect(late.locator(".board")).to_have_attribute("data-ply", "1")
    box = late.locator(".board").bounding_box()
    assert 0 <= box["y"] and box["y"] + box["height"] <= late.viewport_size["height"], box
    late.close()
    for spectator in spectators:
        spectator.close()
    match.end()


def main(program, games):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for game in games or ["chess", "draughts"]:
            began = time.monotonic()
            with tempfile.TemporaryDirectory() as folder, Match(program, game, folder) as match:
                watched(browser, match, game)
            print(f"{game}: {time.monotonic() - began:.1f} s", flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
