"""Plays whole games on a stand-in for lichess: lichess-bot against lichess-bot, both with Adoube as their engine, one
game of chess and one of Chess960.

The stand-in is an HTTP server on localhost with the endpoints that lichess-bot uses: token test, account, upgrade,
event stream, challenges, game stream, moves and chat (https://lichess.org/api). It referees with python-chess. The
configuration is lichess-bot's `config.yml.default` with the lines of the manual's chapter `python`.

Usage: python engine-tests/clients/lichess_bot.py target/release/adoube LICHESS_BOT
(LICHESS_BOT is a clone of https://github.com/lichess-bot-devs/lichess-bot; its requirements must be installed)
"""

import http.server
import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import chess
import chess.pgn
import yaml

MANUAL = Path(__file__).parents[2] / "src/manual/python.md"
# The time control, in seconds. lichess-bot subtracts a move overhead of two seconds. Without an increment, only
# fractions of a second would remain for the end of a game.
SECONDS, INCREMENT = 10, 1
# Half the time after which lichess-bot gives up on a silent stream, in seconds.
KEEP_ALIVE = 7
PATIENCE = 300
VARIANTS = {"standard": "Standard", "chess960": "Chess960"}


class Account:
    def __init__(self, name, is_bot):
        self.name, self.is_bot, self.events = name, is_bot, queue.Queue()

    def player(self):
        title = {"title": "BOT"} if self.is_bot else {}
        return {"id": self.name, "name": self.name, "username": self.name, "rating": 2000, **title}


class Game:
    """A game with clocks. Faults of a bot are collected in `faults`."""

    def __init__(self, number, variant, white, black):
        self.id, self.variant = f"game000{number}", variant
        self.accounts = {chess.WHITE: white, chess.BLACK: black}
        self.start = chess.Board.from_chess960_pos(226) if variant == "chess960" else chess.Board()
        self.board = self.start.copy()
        self.left = {chess.WHITE: float(SECONDS), chess.BLACK: float(SECONDS)}
        self.draw_offers, self.faults, self.chat = set(), [], []
        self.moved, self.status, self.winner = None, "started", None
        self.changed, self.version = threading.Condition(), 0

    def colour(self, account):
        return next(colour for colour, player in self.accounts.items() if player is account)

    def info(self):
        """Returns the game as in the event `gameStart`."""
        return {"gameId": self.id, "id": self.id, "fullId": self.id + "full", "fen": self.board.fen(), "speed": "bullet",
                "variant": {"key": self.variant, "name": VARIANTS[self.variant]}, "source": "friend", "rated": False}

    def of(self, account):
        opponent = self.accounts[not self.colour(account)]
        return {**self.info(), "color": chess.COLOR_NAMES[self.colour(account)], "opponent": opponent.player(),
                "isMyTurn": self.board.turn == self.colour(account), "hasMoved": bool(self.board.move_stack)}

    def state(self):
        moves = " ".join(move.uci() for move in self.board.move_stack)
        left = {name: round(1000 * self.left[colour]) for name, colour in [("wtime", True), ("btime", False)]}
        winner = {} if self.winner is None else {"winner": chess.COLOR_NAMES[self.winner]}
        return {"type": "gameState", "moves": moves, **left, "winc": 1000 * INCREMENT,
                "binc": 1000 * INCREMENT, "status": self.status, **winner,
                "wdraw": chess.WHITE in self.draw_offers, "bdraw": chess.BLACK in self.draw_offers}

    def full(self):
        initial = "startpos" if self.variant == "standard" else self.start.fen()
        return {"type": "gameFull", "id": self.id, "variant": {"key": self.variant, "name": VARIANTS[self.variant]},
                "clock": {"initial": 1000 * SECONDS, "increment": 1000 * INCREMENT}, "speed": "bullet",
                "perf": {"name": "Bullet"}, "rated": False, "createdAt": round(1000 * time.time()), "initialFen": initial,
                "white": self.accounts[chess.WHITE].player(), "black": self.accounts[chess.BLACK].player(),
                "state": self.state()}

    def move(self, account, text, offers_draw):
        """Makes a move and returns whether it was accepted."""
        with self.changed:
            colour, now = self.colour(account), time.monotonic()
            if self.status != "started":
                # The opponent's move or flag has ended the game meanwhile.
                return False
            if colour != self.board.turn:
                self.faults.append(f"{account.name} moves {text} out of turn")
                return False
            try:
                move = self.board.parse_uci(text)
            except ValueError:
                self.faults.append(f"{account.name} moves {text}, which is illegal in {self.board.fen()}")
                return False
            # As on lichess, the clocks start after the first move of each player.
            if len(self.board.move_stack) >= 2:
                self.left[colour] -= now - self.moved
            self.moved = now
            # A move without a draw offer declines the opponent's offer.
            self.draw_offers = self.draw_offers | {colour} if offers_draw else set()
            if self.left[colour] <= 0:
                self.faults.append(f"{account.name} loses on time after {len(self.board.move_stack)} half-moves")
                self.end("outoftime", not colour)
            else:
                self.left[colour] += INCREMENT if len(self.board.move_stack) >= 2 else 0
                self.board.push(move)
                outcome = self.board.outcome(claim_draw=True)
                if outcome:
                    status = {chess.Termination.CHECKMATE: "mate", chess.Termination.STALEMATE: "stalemate"}
                    self.end(status.get(outcome.termination, "draw"), outcome.winner)
                elif len(self.draw_offers) == 2:
                    self.end("draw", None)
            self.notify()
            return True

    def end(self, status, winner):
        self.status, self.winner = status, winner

    def notify(self):
        self.version += 1
        self.changed.notify_all()

    def pgn(self):
        return str(chess.pgn.Game.from_board(self.board))


class Lichess(http.server.ThreadingHTTPServer):
    """The server, with two accounts. The token of an account is its name."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.accounts = {"adoube-a": Account("adoube-a", True), "adoube-b": Account("adoube-b", False)}
        self.challenges, self.games, self.unknown = {}, {}, []
        self.address = f"http://127.0.0.1:{self.server_address[1]}/"

    def challenge(self, variant, challenger, challenged):
        """Sends a challenge from one account to the other. The challenger has White."""
        number = len(self.games) + 1
        game = Game(number, variant, challenger, challenged)
        self.challenges[game.id] = game
        challenge = {"id": game.id, "url": self.address + game.id, "status": "created", "rated": False,
                     "challenger": challenger.player(), "destUser": challenged.player(), "speed": "bullet",
                     "variant": {"key": variant, "name": VARIANTS[variant]}, "perf": {"name": "Bullet"},
                     "timeControl": {"type": "clock", "limit": SECONDS, "increment": INCREMENT,
                                     "show": f"{SECONDS}+{INCREMENT}"},
                     "color": "white", "finalColor": "white", "initialFen": game.start.fen()}
        for account in [challenged, challenger]:
            account.events.put({"type": "challenge", "challenge": challenge})
        return game

    def accept(self, game):
        self.games[game.id] = self.challenges.pop(game.id)
        for account in game.accounts.values():
            account.events.put({"type": "gameStart", "game": game.of(account)})


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def account(self):
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        return self.server.accounts[token]

    def answer(self, value, status=200):
        body = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain" if isinstance(value, str) else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, items):
        """Sends JSON values as lines, in chunks, until the client leaves. None is an empty line."""
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for item in items:
                line = b"\n" if item is None else json.dumps(item).encode() + b"\n"
                self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")
        except ConnectionError:
            pass
        self.close_connection = True

    def do_GET(self):
        path, account = urlparse(self.path).path, self.account()
        if path == "/api/account":
            self.answer(account.player())
        elif path == "/api/account/playing":
            games = [game for game in self.server.games.values() if game.status == "started"]
            self.answer({"nowPlaying": [game.of(account) for game in games]})
        elif path == "/api/stream/event":
            self.stream(self.events(account))
        elif found := re.fullmatch(r"/api/bot/game/stream/(\w+)", path):
            self.stream(self.states(self.server.games[found[1]]))
        elif found := re.fullmatch(r"/game/export/(\w+)", path):
            self.answer(self.server.games[found[1]].pgn())
        else:
            self.refuse()

    def do_POST(self):
        url = urlparse(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if url.path == "/api/token/test":
            self.answer({body: {"scopes": "bot:play", "userId": body}})
            return
        account = self.account()
        if url.path == "/api/bot/account/upgrade":
            account.is_bot = True
            self.answer({"ok": True})
        elif found := re.fullmatch(r"/api/challenge/(\w+)/accept", url.path):
            self.server.accept(self.server.challenges[found[1]])
            self.answer({"ok": True})
        elif found := re.fullmatch(r"/api/bot/game/(\w+)/move/(\w+)", url.path):
            offers_draw = parse_qs(url.query).get("offeringDraw") == ["true"]
            accepted = self.server.games[found[1]].move(account, found[2], offers_draw)
            self.answer({"ok": True} if accepted else {"error": "not accepted"}, 200 if accepted else 400)
        elif found := re.fullmatch(r"/api/bot/game/(\w+)/chat", url.path):
            self.server.games[found[1]].chat.append((account.name, parse_qs(body)["text"][0]))
            self.answer({"ok": True})
        else:
            self.refuse()

    def refuse(self):
        self.server.unknown.append(f"{self.command} {self.path}")
        self.answer({"error": "unknown"}, 404)

    @staticmethod
    def events(account):
        while True:
            try:
                yield account.events.get(timeout=KEEP_ALIVE)
            except queue.Empty:
                yield None

    @staticmethod
    def states(game):
        with game.changed:
            item, version = game.full(), game.version
        yield item
        while item is None or item.get("status", "started") == "started":
            with game.changed:
                news = game.changed.wait_for(lambda: game.version > version, KEEP_ALIVE)
                item, version = (game.state(), game.version) if news else (None, version)
            yield item


def configuration(lichess_bot, program, server, account):
    """Returns the default configuration with the manual's lines, and with the address, the token and the program."""
    block = re.search(r"## A bot on lichess.*?```text\n(.*?)```", MANUAL.read_text(), re.S)[1]
    config = yaml.safe_load((lichess_bot / "config.yml.default").read_text())
    for section, lines in yaml.safe_load(block).items():
        config[section].update(lines)
    program = Path(program).resolve()
    config["engine"].update(dir=str(program.parent), name=program.name)
    config.update(token=account.name, url=server.address)
    return yaml.safe_dump(config)


class Bot:
    def __init__(self, folder, lichess_bot, program, server, account):
        folder.mkdir()
        (folder / "config.yml").write_text(configuration(lichess_bot, program, server, account))
        self.log = folder / "log"
        upgrade = [] if account.is_bot else ["-u"]
        with self.log.open("w") as log:
            self.process = subprocess.Popen([sys.executable, lichess_bot.resolve() / "lichess-bot.py", *upgrade],
                                            cwd=folder, stdout=log, stderr=log, start_new_session=True,
                                            env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"})

    def text(self):
        return self.log.read_text(errors="replace")

    def wait_for(self, text):
        deadline = time.monotonic() + PATIENCE
        while text not in self.text():
            assert self.process.poll() is None, self.text()
            assert time.monotonic() < deadline, f"no '{text}' in\n{self.text()}"
            time.sleep(0.1)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(3 * KEEP_ALIVE)
            except subprocess.TimeoutExpired:
                pass
        try:
            # The session contains only the bot and its children.
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def play(server, bots, variant, challenger, challenged):
    began = time.monotonic()
    game = server.challenge(variant, challenger, challenged)
    deadline = began + PATIENCE
    while game.status == "started" and not game.faults and time.monotonic() < deadline:
        time.sleep(0.1)
        assert all(bot.process.poll() is None for bot in bots), "\n".join(bot.text() for bot in bots)
    logs = "\n".join(bot.text()[-4000:] for bot in bots)
    assert not game.faults, f"{game.faults}\n{logs}"
    assert game.status in ("mate", "stalemate", "draw"), f"{game.status} after {game.pgn()}\n{logs}"
    half_moves = len(game.board.move_stack)
    assert half_moves > 20, game.pgn()
    for bot in bots:
        bot.wait_for(f"{game.id}/{'white' if bot is bots[challenger.name == 'adoube-b'] else 'black'} Game over")
    # Both bots greet, so each has the whole game.
    assert {name for name, _ in game.chat} == set(server.accounts), game.chat
    print(f"{variant}: {half_moves} half-moves, {game.status} ({game.board.result(claim_draw=True)}), "
          f"{time.monotonic() - began:.0f} s", flush=True)
    return game


def main(program, lichess_bot):
    server = Lichess()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        bots = []
        try:
            for account in server.accounts.values():
                bots.append(Bot(Path(folder) / account.name, Path(lichess_bot), program, server, account))
            for bot in bots:
                bot.wait_for("awaiting challenges")
            a, b = server.accounts.values()
            assert b.is_bot, "the account was not upgraded"
            play(server, bots, "standard", a, b)
            game = play(server, bots, "chess960", b, a)
            assert game.start.fen() != chess.STARTING_FEN
            for bot in bots:
                text = bot.text()
                assert "Traceback" not in text and " ERROR " not in text, text
            assert not server.unknown, server.unknown
        finally:
            for bot in bots:
                bot.stop()
    print("lichess-bot plays Adoube: 2 whole games")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
