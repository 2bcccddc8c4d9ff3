"""Makes system calls under the filter and prints, as JSON, the error number each gave. Run as a script by `test_seccomp.py`.

``under_filter.py FILTER CALLS``: the filter in base64; the calls as JSON, [[number, argument, ...], ...].
"""

from __future__ import annotations

import base64
import ctypes
import json
import os
import sys

from mtref.server.sandbox import kernel

if __name__ == "__main__":
    libc = ctypes.CDLL(None, use_errno=True)
    kernel.no_new_privileges()
    kernel.apply_filter(base64.b64decode(sys.argv[1]))
    results: list[int] = []
    for number, *arguments in json.loads(sys.argv[2]):
        pid = os.fork()  # some of these would end the process, if they were let through
        if not pid:
            ctypes.set_errno(0)
            failed = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments)) == -1
            os._exit(ctypes.get_errno() if failed else 0)
        results.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    sys.stdout.write(json.dumps(results) + "\n")
