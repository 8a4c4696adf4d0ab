# library: pandas
# needs: matplotlib, pandas
# compare: by_year, top_countries, minutes, seasons

# %%
import pandas as pd
import matplotlib.pyplot as plt

# %%
# small sample in the format of the Kaggle file
rows = """show_id,type,title,director,country,date_added,release_year,rating,duration,listed_in
s1,Movie,Dust Road,A. Lindt,"United States, Mexico","September 25, 2021",2020,PG-13,90 min,"Dramas, Thrillers"
s2,TV Show,Blood Oranges,,South Africa,"September 24, 2021",2021,TV-MA,2 Seasons,"International TV Shows, TV Dramas"
s3,TV Show,Catch the Tram,P. Roux,"France","July 4, 2020",2019,TV-14,1 Season,"Crime TV Shows"
s4,Movie,Kota,M. Rao,India,"July 19, 2020",2020,TV-PG,131 min,"Comedies, International Movies"
s5,Movie,Midnight Mess,,"United States","January 1, 2019",2005,R,104 min,"Comedies"
s6,TV Show,Gulls,,,"January 15, 2019",2018,TV-MA,4 Seasons,"British TV Shows"
s7,Movie,Second Skin,M. Rao,"India, France",,2017,TV-14,88 min,"Thrillers"
"""
f = open('netflix_titles.csv', 'w')
f.write(rows)
f.close()

# %%
df = pd.read_csv('netflix_titles.csv')
df.head(3)

# %%
df.isnull().sum()

# %%
df['director'] = df['director'].fillna('Unknown')
df['country'] = df['country'].fillna(df['country'].mode()[0])
df = df.dropna(subset=['date_added'])
df.shape

# %%
df['date_added'] = pd.to_datetime(df['date_added'])
df['year_added'] = df['date_added'].dt.year
df['month_added'] = df['date_added'].dt.month_name()
by_year = df.groupby(['year_added', 'type']).size().unstack().fillna(0)
by_year.plot(kind='bar', stacked=True, color=['#b20710', '#221f1f'])
plt.title('Titles added per year')
plt.show()

# %%
top_countries = df['country'].str.split(', ').explode().value_counts().head(3).sort_index().to_dict()
top_countries

# %%
movies = df[df['type'] == 'Movie'].copy()
shows = df[df['type'] == 'TV Show'].copy()
movies['minutes'] = movies['duration'].str.replace(' min', '').astype(int)
shows['seasons'] = shows['duration'].str.split(' ').str[0].astype(int)
minutes = movies['minutes'].mean()
seasons = shows['seasons'].max()
print('average movie:', round(minutes, 1), 'longest show:', seasons)

