//! Cures for cells that filled the memory.

use crate::tests::repaired_at;
use crate::{cure_end, Book, BookCell};
use nbmedic_facts::{Applicability, Cure, Diagnosis, Ended};

/// Main memory of a free runtime, and how much of it is free.
const FULL: Ended = Ended {
    memory: true,
    crash: false,
    total: Some(13_600_000_000),
    free: Some(12_000_000_000),
};

/// The cures of a notebook whose kernel ended while its last cell ran.
fn told(cells: &[&str], ended: Ended) -> Vec<Cure> {
    let cell = |(i, source): (usize, &'_ &'static str)| BookCell {
        position: i + 1,
        source,
        count: None,
        ran: Some(i as u64),
        ..BookCell::default()
    };
    let cells: Vec<&'static str> = cells
        .iter()
        .map(|c| &*Box::leak((*c).to_owned().into_boxed_str()))
        .collect();
    let book = Book::new(cells.iter().enumerate().map(cell).collect());
    let mut all = [Diagnosis::default()];
    cure_end(&book, cells.len() - 1, ended, &mut all);
    let [only] = all;
    only.cures
}

/// The last cell after the first cure, or the cure's title if it changes nothing.
fn first(cells: &[&str]) -> String {
    let all = told(cells, FULL);
    all.first()
        .map_or(String::new(), |c| match c.edits.is_empty() {
            true => c.title.clone(),
            false => c.code.clone(),
        })
}

#[test]
fn loops_that_never_end() {
    assert_eq!(
        first(&[
            "names = ['a', 'b']",
            "for n in names:\n    names.append(n.upper())"
        ]),
        "for n in list(names):\n    names.append(n.upper())"
    );
    assert_eq!(
        first(&["i = 0\nrows = []\nwhile i < 100:\n    rows.append(i * 2)\nprint(rows)"]),
        "i = 0\nrows = []\nwhile i < 100:\n    rows.append(i * 2)\n    i += 1\nprint(rows)"
    );
    assert_eq!(
        first(&["seen = []\nwhile True:\n    seen.append([0] * 1000)"]),
        "Give the loop of line 2 a `break`: nothing in it ends it"
    );
    let fine = [
        // It ends, or may end.
        "for n in names:\n    if n:\n        names.append(n)",
        "for n in names:\n    names.append(n)\n    if len(names) > 9:\n        break",
        "i = 0\nwhile i < 9:\n    rows.append(i)\n    i += 2",
        "while True:\n    rows.append(next(it))",
        "while True:\n    rows.append(1)\n    if rows: break",
        // A different list grows.
        "for n in names:\n    upper.append(n.upper())",
        // It doesn't fill the memory.
        "while True:\n    time.sleep(1)",
    ];
    for source in fine {
        assert_eq!(first(&[source]), "", "{source}");
    }
}

#[test]
fn models_by_the_number_of_their_parameters() {
    let load = "from transformers import AutoModelForCausalLM\nname = 'meta-llama/Llama-2-7b-chat-hf'\nmodel = AutoModelForCausalLM.from_pretrained(name)";
    let halved = told(&[load], FULL);
    assert!(halved[0]
        .code
        .ends_with("from_pretrained(name, torch_dtype=\"auto\", device_map=\"auto\")"));
    assert!(halved[0].why.contains("7 billion parameters: 13.0 GiB with 16 bits each, 26.1 GiB with the 32 that releases of Transformers before 5 make of them, of 12.7 GiB in all."), "{}", halved[0].why);
    assert_eq!(
        first(&["from transformers import AutoModelForCausalLM", "model = AutoModelForCausalLM.from_pretrained(\"Qwen/Qwen2.5-14B-Instruct\")"]),
        "from transformers import BitsAndBytesConfig\nmodel = AutoModelForCausalLM.from_pretrained(\"Qwen/Qwen2.5-14B-Instruct\", quantization_config=BitsAndBytesConfig(load_in_4bit=True), device_map=\"auto\")"
    );
    let import = "from transformers import pipeline, AutoTokenizer, AutoModel";
    assert_eq!(
        first(&[import, "ask = pipeline('text-generation', model='mistralai/Mistral-7B-v0.1')"]),
        "ask = pipeline('text-generation', model='mistralai/Mistral-7B-v0.1', torch_dtype=\"auto\", device_map=\"auto\")"
    );
    let fine = [
        // Small, or without a parameter count.
        "model = AutoModel.from_pretrained('distilbert-base-uncased')",
        "model = AutoModel.from_pretrained('Qwen/Qwen2.5-0.5B')",
        // Its weights are already reduced.
        "model = AutoModel.from_pretrained('Qwen/Qwen2.5-7B', device_map='auto')",
        "model = AutoModel.from_pretrained('Qwen/Qwen2.5-7B', **options)",
        // A tokenizer is small, and no GPU holds this model.
        "tokens = AutoTokenizer.from_pretrained('Qwen/Qwen2.5-7B')",
        "model = AutoModel.from_pretrained('meta-llama/Llama-3.1-405B')",
    ];
    for source in fine {
        assert_eq!(first(&[import, source]), "", "{source}");
    }
    // A machine with enough memory died of something else.
    let large = Ended {
        total: Some(64 << 30),
        ..FULL
    };
    assert!(told(&[load], large).is_empty());
}

#[test]
fn arrays_by_their_sizes() {
    let np = "import numpy as np";
    assert_eq!(
        first(&[np, "n = 40000\nx = np.zeros((n, 50000))"]),
        "n = 40000\nx = np.zeros((n, 50000), dtype=np.float32)"
    );
    let huge = told(&[np, "x = np.random.rand(200000, 50000)"], FULL);
    assert_eq!(
        huge[0].title,
        "Make `np.random.rand(200000, 50000)` smaller: it alone takes 74.5 GiB"
    );
    assert_eq!(huge[0].why, "200000 × 50000 numbers of 8 bytes each are 74.5 GiB, of 12.7 GiB in all. Half of the memory holds 17000 along the first axis: work in parts of so many.");
    assert_eq!(first(&[np, "x = np.zeros((1000, 50))"]), "");
    assert_eq!(first(&[np, "x = np.zeros((n, m))"]), "");
    assert_eq!(
        first(&[np, "import torch\nx = torch.randn(100000, 100000)"]),
        "Make `torch.randn(100000, 100000)` smaller: it alone takes 37.3 GiB"
    );
}

#[test]
fn types_that_are_wider_than_their_values() {
    let np = "import numpy as np";
    assert_eq!(
        first(&[np, "x = np.array(pictures) / 255.0"]),
        "x = np.divide(np.array(pictures), 255.0, dtype=np.float32)"
    );
    assert_eq!(
        first(&[np, "(x, y), _ = cifar10.load_data()", "x = x / 255"]),
        "x = np.divide(x, 255, dtype=np.float32)"
    );
    assert_eq!(first(&["a = b.astype(float)"]), "a = b.astype(\"float32\")");
    for fine in [
        "x = x / 255",
        "x = np.array(p).astype('float32') / 255",
        "x = np.array(p) / 7",
    ] {
        assert_eq!(first(&[np, fine]), "", "{fine}");
    }
}

#[test]
fn zeros_that_are_stored() {
    assert_eq!(
        first(&["X = tfidf.fit_transform(texts).toarray()"]),
        "X = tfidf.fit_transform(texts)"
    );
    assert_eq!(
        first(&["encoder = OneHotEncoder(sparse_output=False)"]),
        "encoder = OneHotEncoder(sparse_output=True)"
    );
    assert_eq!(
        first(&["import pandas as pd", "X = pd.get_dummies(df)"]),
        "X = pd.get_dummies(df, sparse=True)"
    );
    assert_eq!(
        first(&[
            "from keras.utils import to_categorical",
            "model.compile(loss='categorical_crossentropy')",
            "y = to_categorical(y, num_classes=vocabulary)"
        ]),
        "y = y"
    );
    assert_eq!(
        first(&[
            "from keras.utils import to_categorical",
            "y = to_categorical(y, 10)"
        ]),
        ""
    );
    let pairs = told(
        &[
            "from sklearn.metrics.pairwise import cosine_similarity",
            "similar = cosine_similarity(tfidf, tfidf)",
        ],
        FULL,
    );
    assert!(pairs[0]
        .code
        .contains("NearestNeighbors(n_neighbors=11, metric=\"cosine\").fit(tfidf)"));
    // Few queries against all rows.
    assert_eq!(
        first(&[
            "from sklearn.metrics.pairwise import cosine_similarity",
            "s = cosine_similarity(query, tfidf)"
        ]),
        ""
    );
}

#[test]
fn tables_that_are_read_whole() {
    let pd = "import pandas as pd";
    assert_eq!(
        first(&[pd, "df = pd.read_csv('t.csv')\nx = df[['a', 'b']]\ndf['b'] = df['b'] * 2\ndf['new'] = 1\nprint(df.shape, df['new'])"]),
        "df = pd.read_csv('t.csv', usecols=[\"a\", \"b\"])\nx = df[['a', 'b']]\ndf['b'] = df['b'] * 2\ndf['new'] = 1\nprint(df.shape, df['new'])"
    );
    let whole = told(&[pd, "df = pd.read_csv('t.csv', sep=';')\nfit(df)"], FULL);
    assert_eq!(whole[0].applies, Applicability::Maybe);
    assert!(whole[0]
        .code
        .starts_with("sample = pd.read_csv('t.csv', sep=';', nrows=100_000)\n"));
    assert_eq!(first(&[pd, "df = pd.read_csv('t.csv', nrows=10)"]), "");
    // Nothing indicates that memory ran out.
    let unknown = Ended {
        memory: false,
        ..FULL
    };
    assert!(told(&[pd, "df = pd.read_csv('t.csv')"], unknown).is_empty());
    let joined = told(&[pd, "both = orders.merge(people, on='id')"], FULL);
    assert!(joined[0]
        .code
        .contains("(orders['id'].value_counts() * people['id'].value_counts()).sum()"));
}

#[test]
fn what_loaders_hold() {
    assert_eq!(
        first(&["import tensorflow as tf", "ds = ds.map(decode).cache()"]),
        "ds = ds.map(decode).cache(\"cache\")"
    );
    assert_eq!(
        first(&["import tensorflow as tf", "ds = ds.shuffle(60000)"]),
        "ds = ds.shuffle(1000)"
    );
    assert_eq!(
        first(&["loader = DataLoader(data, num_workers=16)"]),
        "loader = DataLoader(data, num_workers=2)"
    );
}

#[test]
fn an_edited_cell_is_left_alone_and_an_exception_has_a_line() {
    let cell = BookCell {
        position: 1,
        source: "a = b.astype(float)",
        edited: true,
        ..BookCell::default()
    };
    let mut all = [Diagnosis::default()];
    assert_eq!(cure_end(&Book::new(vec![cell]), 0, FULL, &mut all), None);
    assert_eq!(
        repaired_at(
            &[
                "names = ['a']",
                "k = 1\nfor n in names:\n    names.append(n)"
            ],
            3,
            "MemoryError",
            ""
        ),
        "k = 1\nfor n in list(names):\n    names.append(n)"
    );
    assert_eq!(
        repaired_at(
            &["a = b.astype(float)\nc = d.toarray()"],
            1,
            "MemoryError",
            ""
        ),
        "a = b.astype(\"float32\")\nc = d.toarray()"
    );
}
