//! Where and with what a failure happened: it decides which fixes may be shown.

use serde::{Deserialize, Serialize};

/// A framework that the failure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Framework {
    /// PyTorch, and what is built on it.
    Torch,
    /// TensorFlow, and Keras on it.
    Tensorflow,
    /// JAX, Flax.
    Jax,
    /// CuPy, RAPIDS.
    Cupy,
    /// PaddlePaddle.
    Paddle,
    /// MXNet.
    Mxnet,
    /// ONNX Runtime.
    Onnxruntime,
    /// NumPy, SciPy.
    Numpy,
    /// pandas.
    Pandas,
    /// scikit-learn.
    Sklearn,
    /// llama.cpp, whisper.cpp, Ollama, and their bindings.
    Ggml,
    /// XGBoost, LightGBM, CatBoost.
    Boosting,
    /// Numba's CUDA and PyCUDA: kernels of one's own.
    Numba,
}

/// The operating system on which it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum System {
    /// Linux.
    Linux,
    /// macOS.
    Macos,
    /// Windows.
    Windows,
}

/// Where it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Front {
    /// A notebook; which front end is not known.
    Notebook,
    /// Google Colab.
    Colab,
    /// Kaggle.
    Kaggle,
    /// JupyterLab, Notebook, or another notebook on a machine of one's own.
    Jupyter,
    /// A script or a log.
    Script,
    /// A container.
    Container,
    /// A cluster's scheduler: Slurm, Kubernetes, Ray, Spark.
    Cluster,
}

impl Front {
    /// Whether it is a notebook.
    pub fn is_notebook(self) -> bool {
        use Front::{Colab, Jupyter, Kaggle, Notebook};
        matches!(self, Notebook | Colab | Kaggle | Jupyter)
    }
}

/// What was being done, as the text or the cell's source shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Work {
    /// A model is trained: gradients, epochs, a trainer.
    Training,
    /// A trained model computes: generates, predicts, draws.
    Inference,
    /// A server answers with a model.
    Serving,
    /// A model's weights are read.
    Loading,
    /// Tables are read and changed.
    Tables,
    /// A program, a package or an image is built, or tests run.
    Building,
}

/// Whose code raised the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Owner {
    /// A cell's or a file of one's own.
    Own,
    /// An installed package's, or another program's.
    Package,
}

/// What is known of where a failure happened. None and empty: not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The frameworks that the failure is about, the nearest first.
    pub frameworks: Vec<Framework>,
    /// The operating system.
    pub system: Option<System>,
    /// Where it ran.
    pub front: Option<Front>,
    /// The environment is conda's, as paths show.
    pub conda: bool,
    /// What was being done.
    #[serde(default)]
    pub works: Vec<Work>,
    /// Whose code raised it: that of the innermost frame.
    #[serde(default)]
    pub owner: Option<Owner>,
    /// Whether a line of the person's own code led to it: false if all frames are packages' and programs', or the line of a
    /// package failed by itself.
    #[serde(default)]
    pub own_line: Option<bool>,
    /// Versions by the name of what is installed, as the text or the paths say.
    pub versions: Vec<(String, String)>,
}

impl Setting {
    /// A version, if it is known.
    pub fn version(&self, name: &str) -> Option<&str> {
        let mut all = self.versions.iter();
        all.find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// Takes the front end from the page or the file, which say it more surely than a text does.
    pub fn seen_in(&mut self, front: Front) {
        let lent = |f: Front| matches!(f, Front::Colab | Front::Kaggle);
        if lent(front) || !self.front.is_some_and(lent) {
            self.front = Some(front);
        }
        if lent(front) {
            self.system = Some(System::Linux);
        }
    }

    /// Whether it ran in a notebook; none: not known.
    pub fn in_notebook(&self) -> Option<bool> {
        self.front.map(Front::is_notebook)
    }
}

/// What a fix needs to be of use; empty: anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Conditions {
    /// One of these frameworks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<Framework>,
    /// One of these operating systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub systems: Vec<System>,
    /// One of these front ends; `notebook` stands for all notebooks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fronts: Vec<Front>,
    /// One of these was being done. What else was being done speaks against nothing: a text shows a part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub works: Vec<Work>,
    /// Code of one of these raised it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<Owner>,
    /// It changes the line that failed or the code around it, which must be the person's own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_line: bool,
}

/// How a fix's conditions fit a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It is made for this setting.
    Made,
    /// It needs nothing in particular.
    General,
    /// It needs something that is not known here.
    Unknown,
    /// It needs something else than what is known here.
    Wrong,
}

impl Conditions {
    /// How they fit a setting.
    pub fn fit(&self, setting: &Setting) -> Fit {
        let frameworks = match (self.frameworks.is_empty(), setting.frameworks.is_empty()) {
            (true, _) => Fit::General,
            (_, true) => Fit::Unknown,
            _ => made(self.frameworks.iter().any(|f| {
                let known = |f| setting.frameworks.contains(&f);
                // XGBoost, LightGBM and CatBoost have scikit-learn's interface.
                known(*f) || *f == Framework::Sklearn && known(Framework::Boosting)
            })),
        };
        let systems = match (self.systems.is_empty(), setting.system) {
            (true, _) => Fit::General,
            // A GPU's machine runs Linux unless something says otherwise, so what is for Linux is nothing in particular.
            (_, None) if self.systems.contains(&System::Linux) => Fit::General,
            (_, None) => Fit::Unknown,
            (_, Some(s)) if self.systems.contains(&s) => match s {
                System::Linux => Fit::General,
                System::Macos | System::Windows => Fit::Made,
            },
            _ => Fit::Wrong,
        };
        let fronts = match (self.fronts.is_empty(), setting.front) {
            (true, _) => Fit::General,
            (_, None) => Fit::Unknown,
            (_, Some(Front::Notebook)) if self.fronts.iter().any(|f| f.is_notebook()) => {
                match self.fronts.contains(&Front::Notebook) {
                    true => Fit::General,
                    false => Fit::Unknown,
                }
            }
            (_, Some(f)) if self.fronts.contains(&f) => Fit::Made,
            // What any notebook has is nothing in particular.
            (_, Some(f)) if f.is_notebook() && self.fronts.contains(&Front::Notebook) => {
                Fit::General
            }
            _ => Fit::Wrong,
        };
        let works = match self.works.is_empty() {
            true => Fit::General,
            false if self.works.iter().any(|w| setting.works.contains(w)) => Fit::Made,
            false => Fit::Unknown,
        };
        let owners = match (self.owners.is_empty(), setting.owner) {
            (true, _) => Fit::General,
            (_, None) => Fit::Unknown,
            (_, Some(owner)) => made(self.owners.contains(&owner)),
        };
        // The line of somebody else's program can be changed, too, but that is no advice.
        let lines = match self.own_line && setting.own_line == Some(false) {
            true => Fit::Unknown,
            false => Fit::General,
        };
        let all = [frameworks, systems, fronts, works, owners, lines];
        match () {
            () if all.contains(&Fit::Wrong) => Fit::Wrong,
            () if all.contains(&Fit::Unknown) => Fit::Unknown,
            () if all.contains(&Fit::Made) => Fit::Made,
            () => Fit::General,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.frameworks.is_empty()
            && self.systems.is_empty()
            && self.fronts.is_empty()
            && self.works.is_empty()
            && self.owners.is_empty()
            && !self.own_line
    }
}

fn made(fits: bool) -> Fit {
    match fits {
        true => Fit::Made,
        false => Fit::Wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_compared_with_what_is_known() {
        let torch = Conditions {
            frameworks: vec![Framework::Torch],
            ..Conditions::default()
        };
        let in_colab = Conditions {
            fronts: vec![Front::Colab],
            ..Conditions::default()
        };
        let in_notebooks = Conditions {
            fronts: vec![Front::Notebook],
            ..Conditions::default()
        };
        let setting = |frameworks: &[Framework], front| Setting {
            frameworks: frameworks.to_vec(),
            front,
            ..Setting::default()
        };
        let none = setting(&[], None);
        let tf = setting(&[Framework::Tensorflow], Some(Front::Script));
        let both = setting(&[Framework::Numpy, Framework::Torch], Some(Front::Notebook));
        let colab = setting(&[Framework::Torch], Some(Front::Colab));
        assert_eq!(Conditions::default().fit(&tf), Fit::General);
        assert_eq!(torch.fit(&none), Fit::Unknown);
        assert_eq!(torch.fit(&tf), Fit::Wrong);
        assert_eq!(torch.fit(&both), Fit::Made);
        assert_eq!(in_colab.fit(&none), Fit::Unknown);
        assert_eq!(in_colab.fit(&tf), Fit::Wrong);
        assert_eq!(in_colab.fit(&both), Fit::Unknown);
        assert_eq!(in_colab.fit(&colab), Fit::Made);
        assert_eq!(in_notebooks.fit(&tf), Fit::Wrong);
        assert_eq!(in_notebooks.fit(&both), Fit::General);
        assert_eq!(in_notebooks.fit(&colab), Fit::General);
        let sklearn = Conditions {
            frameworks: vec![Framework::Sklearn],
            ..Conditions::default()
        };
        assert_eq!(
            sklearn.fit(&setting(&[Framework::Boosting], None)),
            Fit::Made
        );
        let on = |system| Conditions {
            systems: vec![system],
            ..Conditions::default()
        };
        let windows = Setting {
            system: Some(System::Windows),
            ..Setting::default()
        };
        assert_eq!(on(System::Linux).fit(&none), Fit::General);
        assert_eq!(on(System::Windows).fit(&none), Fit::Unknown);
        assert_eq!(on(System::Linux).fit(&windows), Fit::Wrong);
        assert_eq!(on(System::Windows).fit(&windows), Fit::Made);
    }
}
