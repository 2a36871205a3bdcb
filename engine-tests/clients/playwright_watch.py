"""`adoube match --serve` as spectators see it: a match of each game, watched in Chromium, which Playwright drives,
from its first move to the page that is left at the end.

Usage: python engine-tests/clients/playwright_watch.py target/release/adoube [chess|draughts]
(needs `pip install playwright` and Chromium; PICTURES=DIR keeps pictures of what is seen)

Any error in the page's console and any request to another address is a failure.
"""

import os
import re
import signal
import subprocess
import sys
import time

from playwright.sync_api import expect, sync_playwright
from playwright_board import chromium

HOSTILE = "<img src=x onerror=alert(1)>"
SIZES = {"desk": (1280, 800), "phone": (390, 844), "wide": (3840, 2160)}


class Match:
    """A running match."""

    def __init__(self, program, game):
        names, engine = ([HOSTILE, "b", "</script><b>c", "d"], program) if game == "chess" else ([HOSTILE, "b"], f"{program} hub")
        form = ["--games", "2", "--schedule", "knockout"] if game == "chess" else ["--games", "4"]
        command = [program, "match", "--serve", "--game", game, "--event", f"Test of {game}", *form, "--tc", "4+0.1",
                   "--max-moves", "25", "--concurrency", "2", "--openings", "random:2"]
        for name in names:
            command += ["--engine", f"cmd={engine},name={name}"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"watched at (http://\S+)", line):
                self.address = found[1]
                break
        else:
            raise AssertionError("the match does not say where it can be watched")

    def end(self):
        assert self.process.poll() is None, "the page stays"
        self.process.send_signal(signal.SIGINT)
        table, log = self.process.communicate(timeout=20)
        assert self.process.returncode == 0, log
        assert HOSTILE in table, table


class Spectator:
    """A page of a match."""

    def __init__(self, browser, match, size, scheme):
        self.size, self.faults = f"{size}-{scheme}", []
        width, height = SIZES[size]
        self.context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
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

    def close(self):
        self.context.close()
        assert not self.faults, self.faults


def watched(browser, program, game):
    match = Match(program, game)
    spectators = [Spectator(browser, match, size, scheme)
                  for size, scheme in [("desk", "light"), ("phone", "dark"), ("wide", "dark"), ("phone", "light")]]
    for spectator in spectators:
        page = spectator.page
        expect(page.locator(".game").first).to_be_visible()
        expect(page.locator("#title")).to_have_text(f"Test of {game}")
        expect(page.locator(".game .piece").first).to_be_attached()
        expect(page.locator(".game h2 b").first).to_have_text(re.compile(r"\d+(\.|…) \S+"))
        expect(page.locator(".game .clock").first).to_have_text(re.compile(r"\d"))
        expect(page.locator(".game .said").first).to_have_text(re.compile(r"depth \d+|^$"))
        expect(page.locator("body")).to_contain_text(HOSTILE)
        assert page.locator("main img, main b b").count() == 0, "names are text"
        expect(page.locator("#tables h2").first).to_have_text("Standings")
    page = spectators[0].page
    # Clocks run between moves, and moves are made.
    before = page.locator(".game").first.get_attribute("data-last")
    number = page.locator(".game").first.get_attribute("data-number")
    expect(page.locator(f'.game[data-number="{number}"]')).not_to_have_attribute("data-last", before, timeout=20_000)
    # A game that ended is listed, and can be replayed while others are played.
    expect(page.locator("#ended tbody tr").first).to_be_visible(timeout=120_000)
    expect(page.locator("#status")).to_contain_text("Game ")
    for spectator in spectators:
        spectator.picture(f"{game}-live")
    # Both at once: the first row changes when another game ends.
    number, path = page.locator("#ended tbody a").first.evaluate("a => [a.innerText, a.getAttribute('href')]")
    replay = spectators[0].context.new_page()
    replay.goto(match.address + path)
    expect(replay.locator("h3", has_text=f"Game {number}")).to_be_visible()
    expect(replay.locator("svg.board")).to_have_attribute("data-ply", "0")
    replay.keyboard.press("ArrowRight")
    expect(replay.locator("svg.board")).to_have_attribute("data-ply", "1")
    replay.close()
    if game == "chess":
        expect(page.locator("#rounds-name")).to_have_text("Bracket")
        expect(page.locator("#rounds .round")).to_have_count(2, timeout=240_000)
    # In the end each page becomes that of all games, by itself.
    for spectator in spectators:
        page = spectator.page
        page.wait_for_url(re.compile("/report"), timeout=400_000)
        expect(page.locator("h1")).to_have_text(f"Test of {game}")
        expect(page.locator(".list tbody tr").first).to_be_visible()
        expect(page.locator("html")).to_have_attribute("data-ready", "")
        assert page.locator("html").get_attribute("data-error") is None
        assert page.locator("section img").count() == 0
        expect(page.locator("h2", has_text="Engines")).to_be_visible()
        assert program not in page.content(), "no paths are told"
        spectator.picture(f"{game}-end")
    # Whoever comes later finds it too.
    late = spectators[0].context.new_page()
    late.goto(match.address)
    expect(late.locator("h1")).to_have_text(f"Test of {game}")
    expect(late.locator(".list tbody tr").first).to_be_visible()
    late.close()
    for spectator in spectators:
        spectator.close()
    match.end()


def main(program, games):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for game in games or ["chess", "draughts"]:
            began = time.monotonic()
            watched(browser, program, game)
            print(f"{game}: {time.monotonic() - began:.1f} s", flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
