# library: python
# compare: cracked_key, message, vigenere

# %%
from string import ascii_lowercase as alphabet

def shift(text, key):
    result = ''
    for ch in text:
        if ch.isalpha():
            base = ord('A') if ch.isupper() else ord('a')
            result += chr((ord(ch) - base + key) % 26 + base)
        else:
            result += ch
    return result

shift('Hello, World!', 3)

# %%
secret = shift('Meet me at the old lighthouse after the seventh bell', 11)
with open('secret.txt', 'wb') as f:
    f.write(secret.encode('utf-8'))
secret

# %%
english = {'e': 12.7, 't': 9.1, 'a': 8.2, 'o': 7.5, 'i': 7.0, 'n': 6.7, 's': 6.3, 'h': 6.1, 'r': 6.0, 'd': 4.3, 'l': 4.0}

def score(text):
    text = text.lower()
    return sum(english.get(c, 0) for c in text)

ciphertext = open('secret.txt', 'rb').read().decode('utf-8')
candidates = {k: score(shift(ciphertext, -k)) for k in range(26)}
cracked_key = max(candidates, key=candidates.get)
message = shift(ciphertext, -cracked_key)
print(cracked_key, message)

# %%
def vigenere_encrypt(text, keyword):
    out = []
    i = 0
    for ch in text.lower():
        if ch in alphabet:
            k = alphabet.index(keyword[i % len(keyword)])
            out.append(alphabet[(alphabet.index(ch) + k) % 26])
            i += 1
        else:
            out.append(ch)
    return ''.join(out)

vigenere = vigenere_encrypt('attack at dawn', 'lemon')
vigenere

