//! Where and with what a failure happened: it decides which fixes may be shown.

use serde::Serialize;

/// A framework that the failure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
}

/// The operating system on which it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Front {
    /// Google Colab.
    Colab,
    /// Kaggle.
    Kaggle,
    /// JupyterLab, Notebook, or another notebook.
    Jupyter,
    /// A script or a log.
    Script,
    /// A container.
    Container,
    /// A cluster's scheduler: Slurm, Kubernetes, Ray, Spark.
    Cluster,
}

/// What is known of where a failure happened. None and empty: not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// The frameworks that the failure is about, the nearest first.
    pub frameworks: Vec<Framework>,
    /// The operating system.
    pub system: Option<System>,
    /// Where it ran.
    pub front: Option<Front>,
    /// Versions by the name of what is installed, as the text or the paths say.
    pub versions: Vec<(String, String)>,
}

impl Setting {
    /// A version, if it is known.
    pub fn version(&self, name: &str) -> Option<&str> {
        let mut all = self.versions.iter();
        all.find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}
