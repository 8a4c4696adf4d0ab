# library: pandas
# needs: pandas
# compare: report, readmitted, mean_stay

# %%
import pandas as pd

patients = pd.DataFrame({
    'patient_id': ['P1', 'P2', 'P3', 'P4', 'P5'],
    'birth_date': ['1950-02-11', '1987-07-30', '2001-12-05', '1969-04-18', '1943-09-09'],
    'sex': ['F', 'M', 'F', 'F', 'M'],
})
visits = pd.DataFrame({
    'visit_id': [1, 2, 3, 4, 5, 6, 7],
    'patient_id': ['P1', 'P2', 'P1', 'P3', 'P5', 'P5', 'P4'],
    'admitted': ['2023-01-04', '2023-01-09', '2023-01-20', '2023-02-01', '2023-02-11', '2023-05-02', '2023-03-03'],
    'discharged': ['2023-01-09', '2023-01-10', '2023-01-27', '2023-02-02', '2023-03-01', '2023-05-05', '2023-03-10'],
    'ward': ['cardio', 'er', 'cardio', 'er', 'neuro', 'neuro', 'ortho'],
})

# %%
for col in ['admitted', 'discharged']:
    visits[col] = pd.to_datetime(visits[col])
patients['birth_date'] = pd.to_datetime(patients['birth_date'])
visits['stay'] = (visits['discharged'] - visits['admitted']).dt.days
visits

# %%
merged = pd.merge(visits, patients, on='patient_id', how='inner')
merged['age'] = (merged['admitted'] - merged['birth_date']).dt.days // 365
print(merged.shape)
merged.head()

# %%
mean_stay = merged.groupby('ward')['stay'].mean().to_dict()
mean_stay

# %%
merged = merged.sort_values(['patient_id', 'admitted'])
merged['prev_discharge'] = merged.groupby('patient_id')['discharged'].shift(1)
merged['days_since'] = (merged['admitted'] - merged['prev_discharge']).dt.days
readmitted = merged.loc[merged['days_since'] <= 30, 'patient_id'].unique().tolist()
readmitted

# %%
report = (merged.assign(senior=merged['age'] >= 65)
                .groupby(['senior', 'sex'])
                .size()
                .unstack(fill_value=0))
report

