"""Never connects, and says so."""

import time

print("thinking about connecting", flush=True)
time.sleep(600)
