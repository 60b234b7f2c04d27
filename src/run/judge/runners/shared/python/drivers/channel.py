"""The judge's end of the test channel: the plan comes in on it, reports go out."""

import json
import os

LONGEST_PLAN = 4 * 1024 * 1024


class Channel:
    def __init__(self, fd):
        # A child of the code under test must not inherit the way to the verdict.
        os.set_inheritable(fd, False)
        self._fd = fd
        self._n = 0
        self._collected = set()
        self.plan = json.loads(self._read_line())
        self._nonce = self.plan.pop("nonce")

    def _read_line(self):
        data = b""
        while not data.endswith(b"\n"):
            chunk = os.read(self._fd, 65536)
            if not chunk or len(data) > LONGEST_PLAN:
                raise EOFError("no plan on the test channel")
            data += chunk
        return data

    def _send(self, body):
        line = json.dumps({**body, "n": self._n, "nonce": self._nonce}) + "\n"
        self._n += 1
        data = line.encode()
        while data:
            data = data[os.write(self._fd, data):]

    def _from_workspace(self, path):
        """None for a file that is not below the workspace."""
        workspace = self.plan["workspace"] + "/"
        path = os.path.normpath(path) if path else ""
        return path[len(workspace):] if path.startswith(workspace) else None

    def test(self, test_id, outcome, path=None):
        """`path`: the absolute path of the test file, where it is known."""
        file = self._from_workspace(path)
        self._send({"id": test_id, "outcome": outcome, **({"file": file} if file else {})})

    def collected(self, path):
        file = self._from_workspace(path)
        if file and file not in self._collected:
            self._collected.add(file)
            self._send({"collected": file})

    def missing(self, what):
        self._send({"missing": what})

    def done(self, exit_code):
        self._send({"done": exit_code})
