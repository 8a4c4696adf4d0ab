# library: pandas
# needs: numpy, pandas
# compare: genre_mean, similar, top3

# %%
import pandas as pd
import numpy as np

movies = pd.DataFrame({
    "movieId": [1, 2, 3, 4, 5, 6],
    "title": ["Toy Quest (1995)", "Night Drive (2011)", "Heatwave (1995)", "Moonfall Bay (2017)", "The Quiet (2018)", "Robo Pals (2008)"],
    "genres": ["Animation|Comedy", "Drama|Crime", "Crime|Action", "Drama", "Horror|Drama", "Animation|Romance"],
})
np.random.seed(4)
ratings = pd.DataFrame([
    (u, m, np.random.choice([1, 2, 3, 4, 5]))
    for u in range(1, 31) for m in movies.movieId if np.random.rand() < .6
], columns=["userId", "movieId", "rating"])
ratings.to_csv("ratings.csv", index=False)
movies.to_csv("movies.csv", index=False)
del movies, ratings

# %%
movies = pd.read_csv("movies.csv")
ratings = pd.read_csv("ratings.csv")
print(f"{len(movies)} movies, {ratings.userId.nunique()} users, {len(ratings)} ratings")

# %%
movies["year"] = movies["title"].str.extract(r"\((\d{4})\)").astype(int)
movies["title"] = movies["title"].str.replace(r"\s*\(\d{4}\)$", "", regex=True)
movies["genres"] = movies["genres"].str.split("|")
movies

# %%
exploded = movies.explode("genres").merge(ratings, on="movieId")
genre_mean = exploded.groupby("genres").rating.agg(["mean", "count"]).round(3)
genre_mean

# %%
matrix = ratings.merge(movies[["movieId", "title"]]).pivot_table(index="userId", columns="title", values="rating")
matrix.iloc[:5, :3]

# %%
similar = matrix.corrwith(matrix["Toy Quest"]).drop("Toy Quest").sort_values(ascending=False).round(4)
similar.head()

# %%
stats = ratings.groupby("movieId")["rating"].agg(avg="mean", n="size")
C, m = stats["avg"].mean(), stats["n"].quantile(0.5)
stats["weighted"] = (stats.n / (stats.n + m)) * stats.avg + (m / (stats.n + m)) * C
top3 = movies.set_index("movieId").join(stats).nlargest(3, "weighted")["title"].tolist()
top3

