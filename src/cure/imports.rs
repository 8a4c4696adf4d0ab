//! Conventional imports in data science notebooks.

use crate::case::Case;
use crate::closest::{closest, near};
use crate::techniques::is_of_a_table;
use nbmedic_python::ast::{Expr, Stmt};
use nbmedic_python::each_expr;

/// Modules by their usual alias.
const ALIASES: &[(&str, &str)] = &[
    ("np", "numpy"),
    ("pd", "pandas"),
    ("plt", "matplotlib.pyplot"),
    ("mpl", "matplotlib"),
    ("mpimg", "matplotlib.image"),
    ("mpatches", "matplotlib.patches"),
    ("mticker", "matplotlib.ticker"),
    ("sns", "seaborn"),
    ("tf", "tensorflow"),
    ("tfds", "tensorflow_datasets"),
    ("tfp", "tensorflow_probability"),
    ("tfa", "tensorflow_addons"),
    ("jnp", "jax.numpy"),
    ("xgb", "xgboost"),
    ("lgb", "lightgbm"),
    ("px", "plotly.express"),
    ("go", "plotly.graph_objects"),
    ("pio", "plotly.io"),
    ("ff", "plotly.figure_factory"),
    ("sm", "statsmodels.api"),
    ("smf", "statsmodels.formula.api"),
    ("tsa", "statsmodels.tsa.api"),
    ("nx", "networkx"),
    ("pl", "polars"),
    ("alt", "altair"),
    ("dd", "dask.dataframe"),
    ("gpd", "geopandas"),
    ("sp", "scipy"),
    ("msno", "missingno"),
    ("st", "streamlit"),
    ("gr", "gradio"),
    ("bs4", "bs4"),
    ("skimage", "skimage"),
    ("ET", "xml.etree.ElementTree"),
    ("mp", "multiprocessing"),
    ("pkl", "pickle"),
];

/// Modules imported under their own names, which nobody uses for variables.
const MODULES: &str = "os sys re math json csv string shutil itertools functools collections warnings logging \
    pickle subprocess operator statistics threading multiprocessing urllib zipfile tarfile gzip io gc \
    tempfile platform inspect traceback argparse textwrap hashlib base64 uuid struct socket sqlite3 datetime \
    calendar locale heapq bisect fnmatch contextlib types typing dataclasses abc enum ast codecs glob random \
    time copy pprint requests yaml joblib numpy pandas scipy sklearn matplotlib seaborn torch torchvision \
    torchaudio tensorflow keras transformers datasets nltk spacy gensim cv2 PIL librosa xgboost lightgbm catboost \
    plotly optuna shap networkx tqdm psutil h5py pydicom albumentations timm wandb mlflow gym gymnasium evaluate \
    accelerate peft jax flax bs4 sympy imageio folium missingno wordcloud statsmodels einops numba pathlib";

/// Members by module. `keras` stands for the Keras package that the notebook uses.
const MEMBERS: &[(&str, &str)] = &[
    ("sklearn.model_selection", "train_test_split KFold StratifiedKFold GroupKFold StratifiedGroupKFold \
        RepeatedKFold RepeatedStratifiedKFold ShuffleSplit StratifiedShuffleSplit LeaveOneOut TimeSeriesSplit \
        GridSearchCV RandomizedSearchCV cross_val_score cross_val_predict cross_validate learning_curve \
        validation_curve ParameterGrid"),
    ("sklearn.preprocessing", "StandardScaler MinMaxScaler RobustScaler MaxAbsScaler Normalizer LabelEncoder \
        OneHotEncoder OrdinalEncoder LabelBinarizer MultiLabelBinarizer PolynomialFeatures PowerTransformer \
        QuantileTransformer FunctionTransformer KBinsDiscretizer Binarizer label_binarize"),
    ("sklearn.metrics", "accuracy_score precision_score recall_score f1_score fbeta_score roc_auc_score roc_curve \
        auc confusion_matrix classification_report mean_squared_error mean_absolute_error r2_score \
        mean_squared_log_error mean_absolute_percentage_error median_absolute_error explained_variance_score \
        log_loss precision_recall_curve average_precision_score precision_recall_fscore_support \
        balanced_accuracy_score cohen_kappa_score matthews_corrcoef silhouette_score davies_bouldin_score \
        calinski_harabasz_score adjusted_rand_score ConfusionMatrixDisplay RocCurveDisplay \
        PrecisionRecallDisplay make_scorer root_mean_squared_error pairwise_distances jaccard_score hamming_loss"),
    ("sklearn.linear_model", "LinearRegression LogisticRegression Ridge Lasso ElasticNet RidgeCV LassoCV \
        ElasticNetCV SGDClassifier SGDRegressor Perceptron BayesianRidge HuberRegressor RidgeClassifier \
        PassiveAggressiveClassifier LogisticRegressionCV RANSACRegressor Lars LassoLars"),
    ("sklearn.ensemble", "RandomForestClassifier RandomForestRegressor GradientBoostingClassifier \
        GradientBoostingRegressor AdaBoostClassifier AdaBoostRegressor BaggingClassifier BaggingRegressor \
        ExtraTreesClassifier ExtraTreesRegressor VotingClassifier VotingRegressor StackingClassifier \
        StackingRegressor IsolationForest HistGradientBoostingClassifier HistGradientBoostingRegressor"),
    ("sklearn.tree", "DecisionTreeClassifier DecisionTreeRegressor plot_tree export_graphviz export_text"),
    ("sklearn.svm", "SVC SVR LinearSVC LinearSVR OneClassSVM NuSVC"),
    ("sklearn.neighbors", "KNeighborsClassifier KNeighborsRegressor NearestNeighbors LocalOutlierFactor"),
    ("sklearn.naive_bayes", "GaussianNB MultinomialNB BernoulliNB ComplementNB CategoricalNB"),
    ("sklearn.cluster", "KMeans MiniBatchKMeans DBSCAN AgglomerativeClustering MeanShift SpectralClustering OPTICS"),
    ("sklearn.decomposition", "PCA TruncatedSVD NMF FastICA KernelPCA IncrementalPCA LatentDirichletAllocation"),
    ("sklearn.manifold", "TSNE Isomap MDS LocallyLinearEmbedding"),
    ("sklearn.pipeline", "Pipeline make_pipeline FeatureUnion"),
    ("sklearn.compose", "ColumnTransformer make_column_transformer TransformedTargetRegressor make_column_selector"),
    ("sklearn.impute", "SimpleImputer KNNImputer MissingIndicator"),
    ("sklearn.feature_selection", "SelectKBest SelectPercentile RFE RFECV SelectFromModel VarianceThreshold chi2 \
        f_classif f_regression mutual_info_classif mutual_info_regression"),
    ("sklearn.feature_extraction.text", "CountVectorizer TfidfVectorizer TfidfTransformer HashingVectorizer"),
    ("sklearn.discriminant_analysis", "LinearDiscriminantAnalysis QuadraticDiscriminantAnalysis"),
    ("sklearn.neural_network", "MLPClassifier MLPRegressor"),
    ("sklearn.gaussian_process", "GaussianProcessClassifier GaussianProcessRegressor"),
    ("sklearn.multiclass", "OneVsRestClassifier OneVsOneClassifier"),
    ("sklearn.multioutput", "MultiOutputClassifier MultiOutputRegressor"),
    ("sklearn.calibration", "CalibratedClassifierCV calibration_curve"),
    ("sklearn.dummy", "DummyClassifier DummyRegressor"),
    ("sklearn.mixture", "GaussianMixture BayesianGaussianMixture"),
    ("sklearn.inspection", "permutation_importance PartialDependenceDisplay"),
    ("sklearn.datasets", "load_iris load_digits load_wine load_breast_cancer load_diabetes fetch_california_housing \
        fetch_openml fetch_20newsgroups make_classification make_regression make_blobs make_moons make_circles"),
    ("sklearn.base", "BaseEstimator TransformerMixin ClassifierMixin RegressorMixin"),
    ("sklearn.utils.class_weight", "compute_class_weight compute_sample_weight"),
    ("sklearn.utils", "resample"),
    ("sklearn.experimental", "enable_iterative_imputer"),
    ("imblearn.over_sampling", "SMOTE ADASYN RandomOverSampler BorderlineSMOTE SMOTENC SVMSMOTE"),
    ("imblearn.under_sampling", "RandomUnderSampler NearMiss TomekLinks"),
    ("imblearn.combine", "SMOTEENN SMOTETomek"),
    ("xgboost", "XGBClassifier XGBRegressor XGBRanker DMatrix"),
    ("lightgbm", "LGBMClassifier LGBMRegressor LGBMRanker"),
    ("catboost", "CatBoostClassifier CatBoostRegressor"),
    ("keras.models", "Sequential Model load_model model_from_json clone_model"),
    ("keras.layers", "Dense Dropout Flatten Conv1D Conv2D Conv3D Conv2DTranspose SeparableConv2D DepthwiseConv2D \
        MaxPooling1D MaxPooling2D MaxPooling3D MaxPool2D AveragePooling2D GlobalAveragePooling1D \
        GlobalAveragePooling2D GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPool1D GlobalMaxPool2D \
        BatchNormalization LayerNormalization Activation LeakyReLU ReLU PReLU ELU Softmax Embedding LSTM GRU \
        SimpleRNN Bidirectional TimeDistributed ConvLSTM2D Reshape Permute RepeatVector Lambda Concatenate \
        concatenate ZeroPadding2D Cropping2D UpSampling1D UpSampling2D SpatialDropout1D SpatialDropout2D GaussianNoise \
        InputLayer Rescaling Resizing RandomFlip RandomRotation RandomZoom Masking MultiHeadAttention \
        TextVectorization Normalization StringLookup"),
    ("keras.optimizers", "RMSprop Adagrad Adadelta Adamax Nadam"),
    ("keras.callbacks", "EarlyStopping ModelCheckpoint ReduceLROnPlateau TensorBoard CSVLogger \
        LearningRateScheduler LambdaCallback TerminateOnNaN"),
    ("keras.utils", "to_categorical plot_model image_dataset_from_directory text_dataset_from_directory"),
    ("keras.preprocessing.image", "ImageDataGenerator load_img img_to_array array_to_img"),
    ("keras.preprocessing.text", "Tokenizer text_to_word_sequence"),
    ("keras.preprocessing.sequence", "pad_sequences TimeseriesGenerator"),
    ("keras.losses", "BinaryCrossentropy CategoricalCrossentropy SparseCategoricalCrossentropy"),
    ("keras.regularizers", "l1_l2"),
    ("keras.applications", "VGG16 VGG19 ResNet50 ResNet50V2 ResNet101 ResNet152 InceptionV3 InceptionResNetV2 Xception \
        MobileNet MobileNetV2 MobileNetV3Small MobileNetV3Large DenseNet121 DenseNet169 DenseNet201 EfficientNetB0 \
        EfficientNetB1 EfficientNetB2 EfficientNetB3 EfficientNetB4 EfficientNetB5 EfficientNetB7 NASNetMobile"),
    ("torch.utils.data", "DataLoader TensorDataset random_split WeightedRandomSampler SubsetRandomSampler \
        ConcatDataset IterableDataset"),
    ("torch.optim.lr_scheduler", "StepLR CosineAnnealingLR OneCycleLR ExponentialLR MultiStepLR LambdaLR \
        CosineAnnealingWarmRestarts"),
    ("torch.nn.utils.rnn", "pad_sequence pack_padded_sequence pad_packed_sequence"),
    ("torch.utils.tensorboard", "SummaryWriter"),
    ("torchvision.datasets", "ImageFolder"),
    ("torchvision.utils", "make_grid save_image"),
    ("torchsummary", "summary"),
    ("transformers", "AutoTokenizer AutoModel AutoConfig AutoModelForSequenceClassification AutoModelForCausalLM \
        AutoModelForSeq2SeqLM AutoModelForTokenClassification AutoModelForQuestionAnswering AutoModelForMaskedLM \
        BertTokenizer BertTokenizerFast BertModel BertForSequenceClassification DistilBertTokenizer DistilBertModel \
        RobertaTokenizer GPT2Tokenizer GPT2LMHeadModel T5Tokenizer T5ForConditionalGeneration Trainer \
        TrainingArguments pipeline DataCollatorWithPadding DataCollatorForLanguageModeling \
        DataCollatorForSeq2Seq get_linear_schedule_with_warmup TFAutoModel TFBertModel BitsAndBytesConfig \
        AutoImageProcessor AutoFeatureExtractor ViTForImageClassification"),
    ("datasets", "load_dataset load_metric DatasetDict"),
    ("peft", "LoraConfig get_peft_model PeftModel"),
    ("huggingface_hub", "notebook_login hf_hub_download snapshot_download"),
    ("scipy.stats", "ttest_ind ttest_rel pearsonr spearmanr kendalltau chi2_contingency shapiro mannwhitneyu zscore \
        skew kurtosis boxcox probplot kstest f_oneway wilcoxon"),
    ("scipy.optimize", "curve_fit minimize fsolve linprog"),
    ("scipy.integrate", "odeint solve_ivp quad"),
    ("scipy.sparse", "csr_matrix csc_matrix coo_matrix hstack"),
    ("scipy.cluster.hierarchy", "dendrogram linkage fcluster"),
    ("scipy.signal", "find_peaks savgol_filter"),
    ("scipy.interpolate", "interp1d griddata CubicSpline"),
    ("scipy.spatial.distance", "cdist pdist squareform"),
    ("statsmodels.tsa.stattools", "adfuller kpss acf pacf grangercausalitytests"),
    ("statsmodels.graphics.tsaplots", "plot_acf plot_pacf"),
    ("statsmodels.tsa.seasonal", "seasonal_decompose STL"),
    ("statsmodels.tsa.arima.model", "ARIMA"),
    ("statsmodels.tsa.statespace.sarimax", "SARIMAX"),
    ("statsmodels.tsa.holtwinters", "ExponentialSmoothing SimpleExpSmoothing Holt"),
    ("statsmodels.stats.outliers_influence", "variance_inflation_factor"),
    ("pmdarima", "auto_arima"),
    ("prophet", "Prophet"),
    ("nltk.corpus", "stopwords wordnet"),
    ("nltk.tokenize", "word_tokenize sent_tokenize RegexpTokenizer"),
    ("nltk.stem", "PorterStemmer WordNetLemmatizer SnowballStemmer"),
    ("nltk.sentiment", "SentimentIntensityAnalyzer"),
    ("gensim.models", "Word2Vec Doc2Vec FastText KeyedVectors"),
    ("wordcloud", "WordCloud STOPWORDS"),
    ("textblob", "TextBlob"),
    ("bs4", "BeautifulSoup"),
    ("mlxtend.frequent_patterns", "apriori association_rules fpgrowth"),
    ("mlxtend.preprocessing", "TransactionEncoder"),
    ("mpl_toolkits.mplot3d", "Axes3D"),
    ("matplotlib.colors", "ListedColormap LinearSegmentedColormap"),
    ("plotly.subplots", "make_subplots"),
    ("plotly.offline", "iplot init_notebook_mode"),
    ("yellowbrick.cluster", "KElbowVisualizer SilhouetteVisualizer"),
    ("pandas.plotting", "scatter_matrix"),
    ("skimage.io", "imread imshow imsave"),
    ("skimage.metrics", "structural_similarity peak_signal_noise_ratio"),
    ("skimage.feature", "hog"),
    ("collections", "Counter defaultdict namedtuple OrderedDict deque ChainMap"),
    ("functools", "partial reduce lru_cache wraps cmp_to_key"),
    ("itertools", "combinations permutations product chain cycle islice groupby zip_longest accumulate"),
    ("pathlib", "Path PurePath"),
    ("datetime", "timedelta timezone"),
    ("typing", "List Dict Tuple Optional Union Any Callable Iterable Sequence Set Iterator Generator Literal TypeVar"),
    ("dataclasses", "dataclass field asdict"),
    ("abc", "ABC abstractmethod"),
    ("enum", "Enum IntEnum"),
    ("io", "StringIO BytesIO"),
    ("copy", "deepcopy"),
    ("math", "sqrt ceil floor factorial radians"),
    ("urllib.request", "urlopen urlretrieve"),
    ("urllib.parse", "urlparse urljoin urlencode quote"),
    ("zipfile", "ZipFile"),
    ("concurrent.futures", "ThreadPoolExecutor ProcessPoolExecutor"),
    ("contextlib", "contextmanager suppress"),
    ("decimal", "Decimal"),
    ("configparser", "ConfigParser"),
    ("operator", "itemgetter attrgetter"),
    ("textwrap", "dedent"),
    ("tempfile", "TemporaryDirectory NamedTemporaryFile"),
    ("types", "SimpleNamespace"),
    ("uuid", "uuid4"),
    ("threading", "Thread"),
    ("multiprocessing", "Pool cpu_count"),
    ("queue", "Queue"),
    ("heapq", "heappush heappop heapify nlargest nsmallest"),
    ("bisect", "bisect_left bisect_right insort"),
    ("getpass", "getpass"),
    ("html.parser", "HTMLParser"),
    ("time", "perf_counter sleep"),
    ("random", "randint"),
    ("statistics", "stdev"),
    ("fractions", "Fraction"),
    ("subprocess", "Popen"),
    ("importlib", "reload import_module"),
    ("IPython.display", "HTML clear_output Markdown Audio YouTubeVideo IFrame"),
    ("ipywidgets", "interact interactive"),
    ("tqdm", "trange"),
    ("tqdm.notebook", "tqdm_notebook"),
    ("joblib", "Parallel delayed"),
    ("sqlalchemy", "create_engine"),
    ("pyspark.sql", "SparkSession"),

    ("google.colab.patches", "cv2_imshow"),
];

/// Other standard library modules, from `sys.stdlib_module_names`.
const PYTHONS: &str = "array asyncio binascii bz2 cmath concurrent configparser cProfile ctypes decimal difflib dis email \
    errno filecmp fractions getpass gettext graphlib html http imaplib importlib ipaddress keyword linecache lzma mailbox \
    mimetypes numbers optparse pdb pkgutil plistlib pstats queue quopri reprlib sched secrets select \
    selectors shelve shlex signal site smtplib ssl stat stringprep symtable sysconfig termios timeit token tokenize \
    tomllib trace tracemalloc unicodedata unittest venv wave weakref webbrowser xml zipimport zlib zoneinfo";

/// The module that a missing one was probably meant to be: the one with its alias, or else the
/// closest name.
pub fn module_meant(wrong: &str, alias: Option<&str>) -> Option<&'static str> {
    let first = |m: &'static str| m.split('.').next().unwrap_or(m);
    let of_alias = ALIASES
        .iter()
        .find(|(a, _)| Some(*a) == alias)
        .map(|(_, m)| first(m));
    if let Some(module) = of_alias.filter(|m| near(wrong, m).is_some() && *m != wrong) {
        return Some(module);
    }
    let lists = MODULES.split_whitespace().chain(PYTHONS.split_whitespace());
    let homes = MEMBERS.iter().map(|(m, _)| first(m));
    let mut all: Vec<&str> = lists.chain(homes).collect();
    all.extend(ALIASES.iter().map(|(_, m)| first(m)));
    all.sort_unstable();
    all.dedup();
    (!all.contains(&wrong))
        .then(|| closest(wrong, all))
        .flatten()
}

/// The known members of a module.
pub fn members_of(module: &str) -> Vec<&'static str> {
    let all = MEMBERS.iter().filter(|(m, _)| *m == module);
    all.flat_map(|(_, names)| names.split_whitespace())
        .collect()
}

/// The only module known to have a member.
pub fn home_of(name: &str) -> Option<&'static str> {
    let has = |names: &str| names.split_whitespace().any(|n| n == name);
    let mut homes = MEMBERS.iter().filter(|(_, names)| has(names));
    let (home, _) = homes.next()?;
    homes.next().is_none().then_some(*home)
}

/// Names that several modules export: the name, what follows its use (an attribute, `(` for a call,
/// or nothing for any use), the module that must already be imported (or nothing), and the import.
/// The first match wins.
const BY_USE: &[(&str, &str, &str, &str)] = &[
    ("nn", "", "flax", "from flax import linen as nn"),
    ("nn", "", "", "from torch import nn"),
    ("F", "", "pyspark", "from pyspark.sql import functions as F"),
    ("F", "", "torch", "import torch.nn.functional as F"),
    ("optim", "", "", "from torch import optim"),
    ("autocast", "", "torch", "from torch.amp import autocast"),
    ("Dataset", "from_dict", "", "from datasets import Dataset"),
    ("Dataset", "from_pandas", "", "from datasets import Dataset"),
    ("Dataset", "", "torch", "from torch.utils.data import Dataset"),
    ("Subset", "", "torch", "from torch.utils.data import Subset"),
    ("transforms", "", "", "from torchvision import transforms"),
    ("T", "Compose", "", "import torchvision.transforms as T"),
    ("models", "Sequential", "", "from {keras} import models"),
    ("models", "Model", "", "from {keras} import models"),
    ("models", "load_model", "", "from {keras} import models"),
    ("models", "", "torchvision", "from torchvision import models"),
    ("models", "", "torch", "from torchvision import models"),
    ("layers", "", "", "from {keras} import layers"),
    ("optimizers", "", "", "from {keras} import optimizers"),
    ("regularizers", "", "", "from {keras} import regularizers"),
    ("callbacks", "", "", "from {keras} import callbacks"),
    ("K", "", "keras", "from {keras} import backend as K"),
    ("K", "", "tensorflow", "from {keras} import backend as K"),
    ("Input", "(", "", "from {keras}.layers import Input"),
    ("Add", "(", "keras", "from {keras}.layers import Add"),
    ("add", "(", "keras", "from {keras}.layers import add"),
    ("l2", "(", "", "from {keras}.regularizers import l2"),
    ("l1", "(", "", "from {keras}.regularizers import l1"),
    ("Adam", "(", "torch", "from torch.optim import Adam"),
    ("Adam", "", "", "from {keras}.optimizers import Adam"),
    ("SGD", "(", "torch", "from torch.optim import SGD"),
    ("SGD", "", "", "from {keras}.optimizers import SGD"),
    ("AdamW", "(", "torch", "from torch.optim import AdamW"),
    ("ReduceLROnPlateau", "(", "torch", "from torch.optim.lr_scheduler import ReduceLROnPlateau"),
    ("keras", "", "", "from tensorflow import keras"),
    ("Image", "open", "", "from PIL import Image"),
    ("Image", "fromarray", "", "from PIL import Image"),
    ("Image", "new", "", "from PIL import Image"),
    ("Image", "", "PIL", "from PIL import Image"),
    ("Image", "(", "", "from IPython.display import Image"),
    ("ImageDraw", "", "", "from PIL import ImageDraw"),
    ("ImageFont", "", "", "from PIL import ImageFont"),
    ("ImageOps", "", "", "from PIL import ImageOps"),
    ("ImageEnhance", "", "", "from PIL import ImageEnhance"),
    ("image", "load_img", "", "from {keras}.preprocessing import image"),
    ("image", "img_to_array", "", "from {keras}.preprocessing import image"),
    ("image", "image_dataset_from_directory", "", "from {keras}.preprocessing import image"),
    ("sequence", "pad_sequences", "", "from {keras}.preprocessing import sequence"),
    ("stats", "", "", "from scipy import stats"),
    ("norm", "pdf", "", "from scipy.stats import norm"),
    ("norm", "cdf", "", "from scipy.stats import norm"),
    ("norm", "ppf", "", "from scipy.stats import norm"),
    ("sparse", "", "", "from scipy import sparse"),
    ("signal", "", "", "from scipy import signal"),
    ("ndimage", "", "", "from scipy import ndimage"),
    ("linalg", "", "", "from scipy import linalg"),
    ("metrics", "", "sklearn", "from sklearn import metrics"),
    ("datasets", "load_dataset", "", "import datasets"),
    ("datasets", "", "torchvision", "from torchvision import datasets"),
    ("datasets", "", "torch", "from torchvision import datasets"),
    ("datasets", "", "sklearn", "from sklearn import datasets"),
    ("preprocessing", "", "sklearn", "from sklearn import preprocessing"),
    ("linear_model", "", "", "from sklearn import linear_model"),
    ("model_selection", "", "", "from sklearn import model_selection"),
    ("tree", "", "sklearn", "from sklearn import tree"),
    ("svm", "", "", "from sklearn import svm"),
    ("ensemble", "", "sklearn", "from sklearn import ensemble"),
    ("IterativeImputer", "", "", "from sklearn.experimental import enable_iterative_imputer\nfrom sklearn.impute import IterativeImputer"),
    ("tqdm", "(", "", "from tqdm import tqdm"),
    ("tqdm", "", "", "import tqdm"),
    ("glob", "(", "", "from glob import glob"),
    ("glob", "", "", "import glob"),
    ("datetime", "datetime", "", "import datetime"),
    ("datetime", "timedelta", "", "import datetime"),
    ("datetime", "date", "", "import datetime"),
    ("datetime", "", "", "from datetime import datetime"),
    ("date", "today", "", "from datetime import date"),
    ("time", "(", "", "from time import time"),
    ("time", "", "", "import time"),
    ("sleep", "(", "", "from time import sleep"),
    ("pprint", "(", "", "from pprint import pprint"),
    ("copy", "(", "", "from copy import copy"),
    ("random", "(", "", "from random import random"),
    ("random", "", "", "import random"),
    ("shuffle", "(", "", "from random import shuffle"),
    ("randint", "(", "", "from random import randint"),
    ("drive", "mount", "", "from google.colab import drive"),
    ("files", "upload", "", "from google.colab import files"),
    ("files", "download", "", "from google.colab import files"),
    ("widgets", "", "", "import ipywidgets as widgets"),
    ("Tensor", "", "torch", "from torch import Tensor"),
    ("stopwords", "words", "", "from nltk.corpus import stopwords"),
    ("json_normalize", "(", "", "from pandas import json_normalize"),
    ("DataFrame", "", "", "from pandas import DataFrame"),
    ("Series", "", "", "from pandas import Series"),
    ("read_csv", "(", "", "from pandas import read_csv"),
];

/// Members of [`MEMBERS`] that are also common names of variables and functions: they only count
/// where they are called.
const COMMON: &[&str] = &[
    "field",
    "quote",
    "product",
    "cycle",
    "chain",
    "summary",
    "pipeline",
    "resample",
    "auc",
    "minimize",
    "hog",
    "interact",
    "acf",
    "pacf",
    "linkage",
    "skew",
    "kurtosis",
    "chi2",
    "reduce",
    "partial",
    "quad",
    "suppress",
    "imshow",
    "imread",
    "hstack",
    "concatenate",
    "Set",
    "Any",
    "groupby",
    "accumulate",
];

/// Whether a name is a conventional module name.
pub fn is_module(name: &str) -> bool {
    let short = ALIASES.iter().any(|(alias, _)| *alias == name);
    short
        || matches!(name, "nn" | "F" | "keras" | "layers" | "K")
        || MODULES.split_whitespace().any(|m| m == name)
}

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How<'a> {
    Called,
    Attribute(&'a str),
    Bare,
}

/// The import statement by which a name exists in most notebooks, from how the failing cell and the one that the error came
/// from use it; none if it isn't known or there are several.
pub fn import_of(case: &Case<'_>, name: &str) -> Option<String> {
    let inner = case.innermost().map(|f| f.cell);
    let other = inner.filter(|c| *c != case.at);
    let mut cells = vec![case.at];
    cells.extend(other);
    import_in(case, &cells, name)
}

/// The same, from how some cells use it.
pub fn import_in(case: &Case<'_>, cells: &[usize], name: &str) -> Option<String> {
    let uses = uses(case, cells, name);
    if let Some((.., import)) =
        BY_USE
            .iter()
            .filter(|(n, ..)| *n == name)
            .find(|(_, follows, needs, _)| {
                let follows = match *follows {
                    "" => true,
                    "(" => uses.contains(&How::Called),
                    attribute => uses.contains(&How::Attribute(attribute)),
                };
                follows && (needs.is_empty() || imports_any(case, needs))
            })
    {
        return Some(import.replace("{keras}", keras(case)));
    }
    if BY_USE.iter().any(|(n, ..)| *n == name) {
        return None;
    }
    if let Some((alias, module)) = ALIASES.iter().find(|(a, _)| *a == name) {
        // A short name only counts as a module where its members are used.
        let member = uses.iter().any(|u| matches!(u, How::Attribute(_)));
        let of_table =
            |u: &How<'_>| matches!(u, How::Attribute(a) if is_of_a_table(case, module, a));
        if uses.iter().any(of_table) {
            return None;
        }
        return (member || uses.is_empty()).then(|| {
            if alias == module {
                format!("import {module}")
            } else {
                format!("import {module} as {alias}")
            }
        });
    }
    if MODULES.split_whitespace().any(|m| m == name) {
        let member = uses.iter().any(|u| matches!(u, How::Attribute(_)));
        return (member || uses.is_empty()).then(|| format!("import {name}"));
    }
    let (module, _) = MEMBERS
        .iter()
        .find(|(_, names)| names.split_whitespace().any(|n| n == name))?;
    if COMMON.contains(&name) && !uses.contains(&How::Called) {
        return None;
    }
    let module = match module.strip_prefix("keras") {
        Some(rest) => format!("{}{rest}", keras(case)),
        None => (*module).to_owned(),
    };
    Some(format!("from {module} import {name}"))
}

/// Whether a name is one that notebooks import from a module.
pub fn is_member(module: &str, name: &str) -> bool {
    let of = MEMBERS.iter().find(|(m, _)| *m == module);
    of.is_some_and(|(_, names)| names.split_whitespace().any(|n| n == name))
}

/// How cells use a name.
fn uses<'c>(case: &'c Case<'_>, cells: &[usize], name: &str) -> Vec<How<'c>> {
    let mut out = Vec::new();
    for cell in cells.iter().filter_map(|c| case.python(*c)) {
        let is = |e: &Expr| e.as_name_expr().is_some_and(|n| n.id.as_str() == name);
        each_expr(cell.body(), &mut |e| match e {
            Expr::Call(c) if is(&c.func) => out.push(How::Called),
            Expr::Attribute(a) if is(&a.value) => out.push(How::Attribute(a.attr.as_str())),
            Expr::Name(_) if is(e) => out.push(How::Bare),
            _ => {}
        });
    }
    out
}

/// Whether the failing cell or an earlier one imports from a package.
fn imports_any(case: &Case<'_>, package: &str) -> bool {
    imported(case, &mut |module| {
        module == package || module.split('.').any(|part| part == package)
    })
}

fn imported(case: &Case<'_>, is: &mut dyn FnMut(&str) -> bool) -> bool {
    let mut cells = case.book.before(case.at);
    cells.push(case.at);
    cells.iter().filter_map(|c| case.python(*c)).any(|cell| {
        let mut found = false;
        nbmedic_python::each_stmt(cell.body(), &mut |s| match s {
            Stmt::Import(i) => found |= i.names.iter().any(|a| is(a.name.as_str())),
            Stmt::ImportFrom(i) => {
                found |= i.module.as_ref().is_some_and(|m| is(m.as_str()));
            }
            _ => {}
        });
        found
    })
}

/// The Keras package that the notebook uses.
pub fn keras(case: &Case<'_>) -> &'static str {
    let plain = imported(case, &mut |m| m == "keras" || m.starts_with("keras."));
    let whole = imported(case, &mut |m| m.starts_with("tensorflow"));
    if plain && !whole {
        "keras"
    } else {
        "tensorflow.keras"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbmedic_python::Cell;
    use std::collections::BTreeSet;

    #[test]
    fn no_name_has_two_homes() {
        let mut seen = BTreeSet::new();
        let members = MEMBERS.iter().flat_map(|(_, n)| n.split_whitespace());
        let all = members.chain(ALIASES.iter().map(|(a, _)| *a));
        for name in all {
            assert!(seen.insert(name), "{name}");
        }
        for name in COMMON {
            assert!(seen.contains(name), "{name}");
        }
    }

    #[test]
    fn every_import_parses() {
        for (_, _, _, import) in BY_USE {
            assert!(
                Cell::is_valid(&import.replace("{keras}", "keras")),
                "{import}"
            );
        }
        for (module, names) in MEMBERS {
            for name in names.split_whitespace() {
                assert!(Cell::is_valid(&format!("from {module} import {name}")));
            }
        }
    }
}
