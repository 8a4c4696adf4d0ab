# library: python
# compare: marks, grade_book, final_text, multiples

# %%
# Python practice - week 3
names = ["Sam", "Tina", "Uri", "Vera"]
scores = [[67, 80, 91], [88, 54, 79], [93, 97, 90], [45, 60, 58]]
print(len(names))
print(names[0], scores[0])

# %%
# average for every student
marks = []
i = 0
while i < len(names):
    total = 0
    for s in scores[i]:
        total = total + s
    marks.append(total / len(scores[i]))
    i = i + 1
print(marks)

# %%
grade_book = {}
for i in range(len(names)):
    if marks[i] >= 90:
        grade = "A"
    elif marks[i] >= 75:
        grade = "B"
    else:
        grade = "C"
    grade_book[names[i]] = {"mean": round(marks[i], 1), "grade": grade}
grade_book["Vera"]["grade"]

# %%
for name in grade_book:
    print(name + " has " + str(grade_book[name]["mean"]) + " points, grade " + grade_book[name]["grade"])

# %%
# highest score
best = names[0]
for name in names:
    if grade_book[name]["mean"] > grade_book[best]["mean"]:
        best = name
final_text = "Best student: " + best.upper()
print(final_text)

# %%
# exercise 7: print a multiplication table
multiples = []
for a in range(1, 5):
    row = []
    for b in range(1, 5):
        row.append(a * b)
    multiples.append(row)
    print(*row, sep="\t")

