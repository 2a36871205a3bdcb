"""Measures how fast the page of `adoube board` loads, shows a move and follows dragging, in Chromium driven by Playwright.

Usage: python engine-tests/clients/playwright_speed.py target/release/adoube [TEST...]
(as playwright_board.py)

Each figure is printed with its bound; exceeding a bound is an error. The figures depend on the machine and its load,
so no other test uses them.
"""

import random
import statistics
import sys
import time

from playwright_board import Tab, move, run

TIMES = 10
missed = []


def figure(what, values, unit, least=None, most=None):
    """Prints the median and the worst of some values; the median must be within the bound."""
    middle, worst = statistics.median(values), min(values) if least else max(values)
    bound = f"at least {least} {unit}; " if least else f"less than {most} {unit}; " if most else ""
    line = f"{what}: {middle:.0f} {unit} ({bound}worst of {len(values)}: {worst:.0f})"
    print(line, flush=True)
    if least and middle < least or most and middle >= most:
        missed.append(line)


def the_page_loads_fast(browser, server):
    """Measures from the start of the navigation until the first paint, and until all files are fetched."""
    paints, ready, sizes = [], [], []
    for _ in range(TIMES):
        tab = Tab(browser, server)
        paint = tab.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null")
        while paint is None:
            tab.page.wait_for_timeout(10)
            paint = tab.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null")
        paints.append(paint)
        ready.append(tab.page.evaluate("Math.max(...performance.getEntriesByType('resource').map(one => one.responseEnd))"))
        sizes.append(tab.bytes() / 1000)
        tab.close()
    figure("first paint", paints, "ms", most=200)
    figure("all files fetched", ready, "ms")
    figure("size of the page", sizes, "kB", most=200)


# The time of the next frame after the board has changed, in milliseconds since 1970.
WATCH = """() => {
    window.shown = null;
    const look = new MutationObserver(() => {
        look.disconnect();
        requestAnimationFrame(() => setTimeout(() => { window.shown = performance.timeOrigin + performance.now(); }));
    });
    look.observe(document.querySelector("#board .pieces"), { childList: true });
}"""


def a_move_is_shown_soon(browser, server):
    """Measures from the output line with the engine's move to the frame that shows the move."""
    tab = Tab(browser, server)
    server.gates.let("patient", black=0)
    tab.new(against="Patient engine", clock="1h")
    delays, rng = [], random.Random(2)
    for number in range(1, TIMES + 1):
        assert tab.wait_for_turn()
        move(tab, rng)
        # The user's own move has been drawn.
        tab.page.wait_for_timeout(300)
        tab.page.evaluate(WATCH)
        server.gates.let("patient", black=number)
        shown = tab.page.wait_for_function("() => window.shown").json_value()
        delays.append(shown - 1000 * server.gates.moved("patient"))
        tab.has_plies(2 * number)
    figure("a move on the board after the engine's answer", delays, "ms", most=50)
    tab.close()


FRAMES = """() => {
    window.frames_drawn = [];
    const frame = now => { window.frames_drawn?.push(now); requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
}"""


def a_dragged_piece_follows_the_pointer(browser, server):
    """Measures the frames per second while a piece is dragged over the board for two seconds."""
    for game, square in [("chess", 52), ("draughts", 31)]:
        rates, gaps = [], []
        tab = Tab(browser, server, viewport={"width": 1280, "height": 800})
        tab.new(game, you="both")
        mouse, box = tab.page.mouse, tab.page.locator("#board").bounding_box()
        tab.page.evaluate(FRAMES)
        for _ in range(3):
            mouse.move(*tab.middle(square))
            mouse.down()
            mouse.move(box["x"] + 20, box["y"] + 20)
            tab.page.evaluate("() => { frames_drawn.length = 0; }")
            began, step = time.monotonic(), 0
            while time.monotonic() - began < 2:
                step = (step + 7) % 400
                part = (200 - abs(200 - step)) / 200
                mouse.move(box["x"] + box["width"] * part, box["y"] + box["height"] * (1 - part))
            frames = tab.page.evaluate("frames_drawn.slice()")
            mouse.up()
            rates.append(1000 * (len(frames) - 1) / (frames[-1] - frames[0]))
            gaps.append(max(after - before for before, after in zip(frames, frames[1:])))
            tab.page.keyboard.press("Escape")
        figure(f"frames while a piece of {game} is dragged", rates, "a second", least=59)
        figure("the longest time between two frames", gaps, "ms")
        tab.close()


TESTS = [the_page_loads_fast, a_move_is_shown_soon, a_dragged_piece_follows_the_pointer]


if __name__ == "__main__":
    run(TESTS, sys.argv[1], sys.argv[2:])
    sys.exit("missed:\n" + "\n".join(missed) if missed else 0)
