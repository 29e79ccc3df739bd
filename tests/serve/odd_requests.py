"""The server against requests that nobody should send: random bytes, broken HTTP, wrong types, huge and deep JSON, paths,
foreign hosts. Every answer must be whole, with a status and below 500, 4xx with a reason; and the server must still be
there in the end.

    odd_requests.py PROGRAM [--requests N] [--seed S]
    odd_requests.py PROGRAM --load SECONDS [--connections N]     # a measurement, not a test
"""
import argparse
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time

WORDS = ["source", "name", "text", "model", "question", "node", "functions", "seconds", "allocation_may_fail", "x", "\u0000"]
VALUES = [None, True, 0, -1, 1e308, "", "a", "ls(x,y) |- ls(x,NULL)", "int f(void){return 0;}", "../../etc/passwd", [], {}, [[]],
          "\u202e", "ls(" * 500, "#include \"/etc/passwd\"", "A is B\neval A has_fear", "x" * 5000]
PATHS = ["/", "/api/about", "/api/verify", "/api/prove", "/api/ask", "/api/models", "/api/models/0123456789abcdef", "/api/runs",
         "/api/runs/../../etc/passwd", "/reports/0123456789abcdef/index.html", "/reports/../../../etc/passwd", "/%2e%2e/etc/passwd",
         "/api/programs/%00", "/app.js", "/api/nothing", "//", "/api/programs/" + "f" * 16, "/" + "a" * 9000, "/\xff"]


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "serve", "--port", "0", "--no-open", "--workers", "2", "--timeout", "3"],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline().strip()
        if not line:
            reason = self.process.stderr.read()
            if "built without a server" in reason:
                print("[  SKIPPED ] " + reason.strip())
                sys.exit(77)
            sys.exit("the server did not start: " + reason)
        self.port = int(line.rstrip("/").rsplit(":", 1)[1])

    def host(self):
        return f"127.0.0.1:{self.port}"

    def resident(self):
        """Kilobytes of the server and its workers."""
        total = 0
        for pid in [self.process.pid] + [int(p) for p in os.listdir("/proc") if p.isdigit() and parent(p) == self.process.pid]:
            with open(f"/proc/{pid}/status") as status:
                total += next((int(line.split()[1]) for line in status if line.startswith("VmRSS")), 0)
        return total

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(20)


def parent(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return int(stat.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return -1


def random_json(draw, depth=0):
    kind = draw.random()
    if depth > 3 or kind < 0.5:
        return draw.choice(VALUES)
    if kind < 0.6:
        return [random_json(draw, depth + 1) for _ in range(draw.randrange(4))]
    return {draw.choice(WORDS): random_json(draw, depth + 1) for _ in range(draw.randrange(5))}


def body_of(draw):
    kind = draw.randrange(6)
    if kind == 0:
        return bytes(draw.randrange(256) for _ in range(draw.randrange(300)))
    text = json.dumps(random_json(draw))
    if kind == 1:
        text = text[: draw.randrange(len(text) + 1)]
    if kind == 2:
        text = "[" * draw.randrange(1, 30000)
    if kind == 3:
        text = json.dumps({draw.choice(WORDS): draw.choice(VALUES), "text": draw.choice(VALUES)})
    return text.encode("utf-8", "surrogatepass")


def http_bytes(draw, host):
    """A request, more or less; and whether it is whole, so that an answer is due."""
    method = draw.choice(["GET", "POST", "POST", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "", "G\0T", "X" * 300])
    path = draw.choice(PATHS)
    if draw.random() < 0.1:
        path = "/" + "".join(chr(draw.randrange(33, 127)) for _ in range(draw.randrange(60)))
    body = body_of(draw)
    headers = {"Host": host, "Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    twist = draw.randrange(12)
    if twist == 0:
        headers["Host"] = draw.choice(["evil.example", "", "127.0.0.1", "127.0.0.1:1", host + ".evil.example"])
    if twist == 1:
        headers["Origin"] = draw.choice(["http://evil.example", "null", "https://" + host])
    if twist == 2:
        headers["Content-Length"] = draw.choice(["-1", "99999999999999999999", "abc", str(len(body) + 5), "0"])
    if twist == 3:
        headers["Content-Type"] = draw.choice(["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", ""])
    if twist == 4:
        headers["X-Long"] = "a" * draw.randrange(20000)
    if twist == 5:
        headers["Transfer-Encoding"] = "chunked"
    if twist == 6:
        headers["Range"] = draw.choice(["bytes=0-1", "bytes=5-1", "bytes=-1", "x", "bytes=0-99999999999"])
    if twist == 7:
        headers["Content-Encoding"] = draw.choice(["gzip", "br", "x"])
    lines = [f"{method} {path} HTTP/1.1"] + [f"{name}: {value}" for name, value in headers.items()]
    text = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
    if draw.random() < 0.05:
        return bytes(draw.randrange(256) for _ in range(draw.randrange(400))), False
    return text, twist not in (2, 5)


def is_complete(answer):
    head, mark, body = answer.partition(b"\r\n\r\n")
    lengths = [line[16:] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length: ")]
    return bool(mark) and bool(lengths) and len(body) >= int(lengths[0])


def ask_raw(port, request, whole):
    """What came back. Nobody waits for the answer to half a request."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.settimeout(30 if whole else 0.3)
        answer = b""
        try:
            connection.sendall(request)
            while not is_complete(answer) and (chunk := connection.recv(65536)):
                answer += chunk
        except (ConnectionResetError, BrokenPipeError):
            pass
        except TimeoutError:
            return b"" if not whole else b"HTTP/1.1 599 no answer\r\n\r\n"
        return answer


def problem_with(answer, whole):
    if not answer:
        return "no answer" if whole else None
    head, _, body = answer.partition(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length: "):
            body = body[: int(line[16:])]
    try:
        status = int(head.split(b" ", 2)[1])
    except (IndexError, ValueError):
        return "no status"
    if status >= 500 and status != 503:
        return f"status {status}"
    if status >= 400 and body:
        try:
            return None if json.loads(body).get("error") else "no reason"
        except ValueError:
            return "a reason that is no JSON"
    return None


def fuzz(server, requests, seed):
    draw = random.Random(seed)
    work = [http_bytes(draw, server.host()) for _ in range(requests)]
    problems, statuses, lock = [], {}, threading.Lock()

    def run(part):
        for request, whole in part:
            answer = ask_raw(server.port, request, whole)
            problem = problem_with(answer, whole)
            with lock:
                statuses[answer[9:12].decode("latin-1")] = statuses.get(answer[9:12].decode("latin-1"), 0) + 1
                if problem:
                    problems.append((problem, request[:300]))

    threads = [threading.Thread(target=run, args=(work[i::8],)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{requests} requests, by status:", dict(sorted(statuses.items())))
    for problem, request in problems[:10]:
        print(problem, request)
    return not problems


def sane(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("POST", "/api/prove", json.dumps({"text": "ls(x,y) * ls(y,NULL) |- ls(x,NULL)"}), {"Content-Type": "application/json"})
    return json.loads(connection.getresponse().read()).get("verdict") == "valid"


def load(server, seconds, connections):
    """Connections that ask for the page and for proofs; one more that measures how soon the page comes."""
    end, counts, lock = time.time() + seconds, {"done": 0, "busy": 0, "error": 0}, threading.Lock()
    waits = []

    def busy(number):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        while time.time() < end:
            try:
                if number % 2 == 0:
                    connection.request("GET", "/")
                else:
                    connection.request("POST", "/api/prove", json.dumps({"text": f"ls(x,y) * ls(y,z{number}) |- ls(x,z{number})"}), {"Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
                key = "done" if answer.status == 200 else "busy" if answer.status == 503 else "error"
            except OSError:
                key = "error"
                connection.close()
            with lock:
                counts[key] += 1
            time.sleep(0.02)

    def measure():
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        while time.time() < end:
            start = time.time()
            connection.request("GET", "/api/about")
            connection.getresponse().read()
            waits.append(time.time() - start)
            time.sleep(0.1)

    before = server.resident()
    threads = [threading.Thread(target=busy, args=(i,)) for i in range(connections)] + [threading.Thread(target=measure)]
    for thread in threads:
        thread.start()
    time.sleep(seconds / 3)
    third = server.resident()
    for thread in threads:
        thread.join()
    waits.sort()
    print(f"{connections} connections, {seconds} s: {counts}; the page's server answers in {1000 * waits[len(waits) // 2]:.1f} ms (median), "
          f"{1000 * waits[int(len(waits) * 0.95)]:.1f} ms (95%), {1000 * waits[-1]:.1f} ms (most); memory {before} kB before, {third} kB after a "
          f"third, {server.resident()} kB after all")
    return counts["error"] == 0


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--requests", type=int, default=10000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--load", type=float, default=0)
    options.add_argument("--connections", type=int, default=64)
    given = options.parse_args()
    server = Server(given.program)
    try:
        good = load(server, given.load, given.connections) if given.load > 0 else fuzz(server, given.requests, given.seed)
        good = sane(server) and good
    finally:
        code = server.end()
    if code != 0:
        print(f"the server ended with {code}")
    sys.exit(0 if good and code == 0 else 1)


if __name__ == "__main__":
    main()
