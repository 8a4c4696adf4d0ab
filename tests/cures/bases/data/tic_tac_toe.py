# library: python
# compare: outcome, boards_seen, first_moves

# %%
EMPTY, X, O = " ", "X", "O"
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

def show(board):
    for r in range(0, 9, 3):
        print(" | ".join(board[r:r + 3]))

board = [EMPTY] * 9
board[4] = X
show(board)

# %%
def winner(board):
    for a, b, c in LINES:
        if board[a] != EMPTY and board[a] == board[b] == board[c]:
            return board[a]
    return None

def moves(board):
    return [i for i, cell in enumerate(board) if cell == EMPTY]

winner(list("OOOXX  X ")), moves(board)

# %%
cache = {}

def minimax(board, player):
    key = ("".join(board), player)
    if key in cache:
        return cache[key]
    won = winner(board)
    if won:
        result = (1 if won == X else -1), None
    elif not moves(board):
        result = 0, None
    else:
        options = []
        for m in moves(board):
            board[m] = player
            value, _ = minimax(board, O if player == X else X)
            board[m] = EMPTY
            options.append((value, m))
        result = max(options, key=lambda t: t[0]) if player == X else min(options, key=lambda t: t[0])
    cache[key] = result
    return result

minimax(list("X O  OX  "), X)

# %%
game = [EMPTY] * 9
game[0] = X
turn = O
first_moves = []
while winner(game) is None and moves(game):
    value, move = minimax(game, turn)
    first_moves.append(move)
    game[move] = turn
    turn = X if turn == O else O
show(game)
outcome = winner(game) or "draw"
boards_seen = len(cache)
outcome

