# library: python
# compare: products, average, cheapest

# %%
from html.parser import HTMLParser
import statistics

page = """
<html><body><h1>Shop</h1>
<ul class="products">
  <li data-sku="K1"><b>Kettle</b> <span class="price">$29.90</span></li>
  <li data-sku="T7"><b>Toaster</b> <span class="price">$39.50</span></li>
  <li data-sku="M3"><b>Mug</b> <span class="price sale">$4.25</span></li>
</ul></body></html>
"""
open("shop.html", "w").write(page)

# %%
class ShopParser(HTMLParser):
    def __init__(self):
        super().__init__()
        self.products = []
        self.field = None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "li":
            self.products.append({"sku": attrs.get("data-sku")})
        elif tag == "b":
            self.field = "name"
        elif tag == "span" and "price" in attrs.get("class", ""):
            self.field = "price"

    def handle_endtag(self, tag):
        if tag in ("b", "span"):
            self.field = None

    def handle_data(self, data):
        if self.field and self.products:
            self.products[-1][self.field] = data.strip()

# %%
parser = ShopParser()
parser.feed(open("shop.html").read())
products = parser.products
products

# %%
for p in products:
    p["price"] = float(p["price"].lstrip("$"))
prices = [p["price"] for p in products]
average = statistics.mean(prices)
cheapest = min(products, key=lambda p: p["price"])["name"]
print(f"{len(products)} products, mean {average:.2f}, cheapest: {cheapest}")

