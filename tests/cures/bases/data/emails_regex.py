# library: python
# compare: domains, threads, dates, redacted

# %%
import re
import email
from email.utils import parsedate_to_datetime
from pathlib import Path

mails = {
    "1.eml": "From: Zoe <zoe@acme.io>\nTo: team@acme.io\nSubject: Launch plan\nDate: Mon, 06 May 2024 09:15:00 +0200\n\nCall me at +49 170 1234567.\nBudget: 12.500 EUR\n",
    "2.eml": "From: raj@partner.com\nTo: zoe@acme.io\nSubject: Re: Launch plan\nDate: Mon, 06 May 2024 11:02:10 +0000\n\nLooks good, see https://partner.com/q2?x=1\n",
    "3.eml": "From: Spam King <win@free-stuff.biz>\nTo: zoe@acme.io\nSubject: You WON\nDate: Tue, 07 May 2024 03:00:00 -0500\n\nClick http://free-stuff.biz now, pay 99 EUR\n",
}
inbox = Path("inbox")
inbox.mkdir(exist_ok=True)
for fname, body in mails.items():
    (inbox / fname).write_text(body)

# %%
messages = []
for path in sorted(inbox.glob("*.eml")):
    with open(path) as fp:
        messages.append(email.message_from_file(fp))
messages[0]["Subject"], messages[0].get_payload().splitlines()[0]

# %%
address = re.compile(r"[\w.+-]+@([\w-]+\.[\w.]+)")
domains = {}
for msg in messages:
    domain = address.search(msg["From"]).group(1)
    domains[domain] = domains.get(domain, 0) + 1
domains

# %%
threads = {}
for msg in messages:
    subject = re.sub(r"^(re|fwd?):\s*", "", msg["Subject"], flags=re.IGNORECASE)
    threads.setdefault(subject.lower(), []).append(address.search(msg["From"]).group(0))
dates = [parsedate_to_datetime(m["Date"]).isoformat() for m in messages]
threads

# %%
def redact(text):
    text = re.sub(r"\+?\d[\d ]{7,}\d", "[phone]", text)
    text = re.sub(r"https?://\S+", "[link]", text)
    return text

redacted = [redact(m.get_payload()).strip() for m in messages]
amounts = [float(a.replace(".", "")) for m in messages for a in re.findall(r"([\d.]+) EUR", m.get_payload())]
print(sum(amounts))
redacted

