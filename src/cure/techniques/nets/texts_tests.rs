//! Transformers.

use crate::tests::repaired_at;

#[test]
fn texts_and_trainings_get_what_they_need() {
    let tok = "import pandas as pd\nfrom transformers import AutoTokenizer\ntokenizer = AutoTokenizer.from_pretrained('gpt2')";
    let long = "The size of tensor a (700) must match the size of tensor b (512) at non-singleton dimension 1";
    let save = "--load_best_model_at_end requires the save and eval strategy to match, but found";
    let rows: &[(&[&str], &str, &str, &str)] = &[
        (&[tok], "b = tokenizer(texts, padding=True)", "Asking to pad but the tokenizer does not have a padding token.", "tokenizer.pad_token = tokenizer.eos_token"),
        (&[tok], "b = tokenizer(texts, return_tensors='pt')", "Unable to create tensor, you should probably activate truncation and/or padding", "return_tensors='pt', padding=True, truncation=True)"),
        (&[tok, "b = tokenizer(text, return_tensors='pt')"], "out = model(**b)", long, "truncation=True, max_length=512)"),
        (&[tok, "b = tokenizer(text, truncation=True)"], "out = model(**b)", long, ""),
        (&[tok, "tokenizer.add_tokens(['x'])"], "out = model(**b)", "index out of range in self", "model.resize_token_embeddings(len(tokenizer))\nout"),
        (&["from transformers import TrainingArguments"], "a = TrainingArguments(output_dir='o', eval_strategy='epoch', load_best_model_at_end=True)", save, "save_strategy='epoch')"),
        (&["import torch"], "a = TrainingArguments('o', fp16=True)", "FP16 Mixed precision training with AMP can only be used on CUDA devices.", "fp16=torch.cuda.is_available()"),
        (&[tok], "b = tokenizer(df['text'], padding=True)", "text input must be of type `str` (single example)", "tokenizer(df['text'].astype(str).tolist(), padding=True)"),
        (&["m = AutoModelForSequenceClassification.from_pretrained('bert')"], "out = m(**b, labels=y)", "Target 2 is out of bounds.", "from_pretrained('bert', num_labels=3)"),
        (&["import datasets"], "d = d.map(f, batched=True)", "Column 2 named w expected length 3 but got length 17", "d.map(f, batched=True, remove_columns=d.column_names)"),
        (&["a = 1"], "m = Model.from_pretrained('x', num_labels=3)", "You set `ignore_mismatched_sizes` to `False`, thus raising an error.", "num_labels=3, ignore_mismatched_sizes=True)"),
    ];
    for (before, last, message, wanted) in rows {
        let mut cells = before.to_vec();
        cells.push(last);
        let made = repaired_at(&cells, 1, "ValueError", message);
        match wanted.is_empty() {
            true => assert!(made.is_empty(), "{last}\n{message}\n-> {made}"),
            false => assert!(made.contains(wanted), "{last}\n{message}\n-> {made}"),
        }
    }
}

#[test]
fn a_strategy_that_may_stand_in_shared_arguments_is_not_given_twice() {
    let message = "--load_best_model_at_end requires the save and eval strategy to match, except when --save_strategy=\"best\", but found\n- Evaluation strategy: IntervalStrategy.EPOCH\n- Save strategy: SaveStrategy.STEPS";
    let import = "from transformers import TrainingArguments";
    let make = |arguments: &str| {
        let last = format!("a = TrainingArguments(**common, {arguments})");
        repaired_at(&[import, &last], 1, "ValueError", message)
    };
    let made = make("save_strategy='steps'");
    assert!(
        made.ends_with("(**common, save_strategy=\"epoch\")"),
        "{made}"
    );
    let made = make("eval_strategy='epoch'");
    assert!(made.is_empty(), "{made}");
}
