# library: pandas
# needs: pandas
# compare: tidy, hottest, wide

# %%
import io
import pandas as pd

raw = io.StringIO("""station,year,month,t_min,t_max,rain_mm
Oslo,2021,1,-8.1,-2.0,54
Oslo,2021,7,13.2,22.9,81
Oslo,2022,1,-5.4,0.3,49
Oslo,2022,7,12.8,23.5,n/a
Seville,2021,1,5.2,16.1,66
Seville,2021,7,20.3,36.0,1
Seville,2022,1,4.1,15.2,71
Seville,2022,7,21.1,37.8,0
""")
weather = pd.read_csv(raw, na_values="n/a")
weather

# %%
tidy = weather.melt(
    id_vars=["station", "year", "month"],
    value_vars=["t_min", "t_max", "rain_mm"],
    var_name="measure",
    value_name="reading",
)
tidy.shape

# %%
tidy["season"] = tidy["month"].map({1: "winter", 7: "summer"})
tidy.sample(4, random_state=2)

# %%
wide = tidy.pivot(index=["station", "year", "season"], columns="measure", values="reading").reset_index()
wide.columns.name = None
wide

# %%
wide["spread"] = wide.t_max - wide.t_min
hottest = wide.loc[wide["t_max"].idxmax(), "station"]
wide.query("season == 'summer' and spread > 10")

# %%
wide.set_index(["station", "year"]).loc[("Seville", 2022), "t_max"].max()

