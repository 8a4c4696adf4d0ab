# library: python
# compare: users, tree, errors, flattened

# %%
import json
import urllib.parse
from typing import Any, Dict, Optional

# canned answers instead of the real server
RESPONSES = {
    "/users?page=1": {"data": [{"id": 1, "name": "Ada", "manager": None}, {"id": 2, "name": "Bob", "manager": 1}], "next": 2},
    "/users?page=2": {"data": [{"id": 3, "name": "Cleo", "manager": 1}, {"id": 4, "name": "Dan", "manager": 3}], "next": None},
    "/settings": {"theme": {"dark": True, "accent": "#fa0"}, "tabs": [{"id": "home"}, {"id": "stats", "pinned": True}]},
}

# %%
class ApiError(Exception):
    def __init__(self, status, path):
        super().__init__(f"HTTP {status} for {path}")
        self.status = status

class Client:
    def __init__(self, responses: Dict[str, Any]):
        self._responses = {k: json.dumps(v) for k, v in responses.items()}
        self.calls = 0

    def get(self, path: str, params: Optional[dict] = None) -> dict:
        self.calls += 1
        url = path + ("?" + urllib.parse.urlencode(params) if params else "")
        if url not in self._responses:
            raise ApiError(404, url)
        return json.loads(self._responses[url])

    def pages(self, path):
        page = 1
        while page:
            answer = self.get(path, params={"page": page})
            yield from answer["data"]
            page = answer["next"]

client = Client(RESPONSES)

# %%
users = {u["id"]: u for u in client.pages("/users")}
print(client.calls, "calls,", len(users), "users")
users[1]

# %%
def build_tree(manager=None):
    return {u["name"]: build_tree(u["id"]) for u in users.values() if u["manager"] == manager}

tree = build_tree()
print(json.dumps(tree, indent=2))

# %%
errors = []
for path in ["/settings", "/secret", "/users"]:
    try:
        client.get(path)
    except ApiError as exc:
        errors.append((path, exc.status))
errors

# %%
def flatten(obj, prefix=""):
    if isinstance(obj, dict):
        items = obj.items()
    elif isinstance(obj, list):
        items = enumerate(obj)
    else:
        return {prefix[:-1]: obj}
    flat = {}
    for key, value in items:
        flat.update(flatten(value, f"{prefix}{key}."))
    return flat

flattened = flatten(client.get("/settings"))
flattened

