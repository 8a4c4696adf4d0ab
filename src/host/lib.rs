//! Profiles of the front ends: what a cell, an output or a crash notice looks like on each.
//!
//! The sensor interprets a profile; the engine passes it on and reads only what it tells people
//! about the front end. `README.md` in this folder describes the fields.

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::Deserialize;
use std::fmt;

/// All profiles as one JSON array, in the order in which the sensor tries them. The build script
/// joins the files of this folder: a profile comes before the one that it is like, and fallbacks
/// come last.
pub fn profiles_json() -> &'static str {
    include_str!(concat!(env!("OUT_DIR"), "/profiles.json"))
}

/// A part of a front end's page that the sensor needs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Landmark {
    /// Its name in the profile and in a sensor's counts.
    #[serde(skip)]
    pub name: String,
    /// The key of the message that names it, which continues "nbmedic reads".
    pub what: String,
    /// The key of a sentence that says what people lose if it is not found.
    pub lost: String,
    /// Minimum number of matches; 0: it is not on every page.
    pub min: u32,
    /// Maximum number of matches.
    pub max: u32,
}

impl Default for Landmark {
    fn default() -> Self {
        Landmark {
            name: String::new(),
            what: String::new(),
            lost: String::new(),
            min: 1,
            max: u32::MAX,
        }
    }
}

/// Landmarks in the profile's order.
#[derive(Clone, Default)]
struct Landmarks(Vec<Landmark>);

impl<'de> Deserialize<'de> for Landmarks {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Landmarks;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("landmarks by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Landmarks, A::Error> {
                let mut all = Vec::new();
                while let Some((name, landmark)) = map.next_entry::<_, Landmark>()? {
                    all.push(Landmark { name, ..landmark });
                }
                Ok(Landmarks(all))
            }
        }
        from.deserialize_map(InOrder)
    }
}

/// What nbmedic tells people about a front end.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct FrontEnd {
    /// The profile's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// It is used if no other profile fits.
    pub fallback: bool,
    /// Scheme and host of the pages that certainly belong to this front end.
    pub home: Vec<String>,
    /// Its runtimes are available for a limited time.
    pub lent: bool,
    /// The background can put a new cell into its notebooks (`extension/background/insert.js`).
    pub inserts: bool,
    like: String,
    landmarks: Landmarks,
}

impl FrontEnd {
    /// Its landmarks, in the profile's order.
    pub fn landmarks(&self) -> &[Landmark] {
        &self.landmarks.0
    }
}

/// All front ends, in the order in which the sensor tries them.
pub fn front_ends() -> Vec<FrontEnd> {
    // The profiles are part of the program, and a test reads each of them.
    let mut all: Vec<FrontEnd> = serde_json::from_str(profiles_json()).unwrap_or_default();
    for at in 0..all.len() {
        if let Some(model) = all.iter().find(|f| f.id == all[at].like) {
            all[at].landmarks = model.landmarks.clone();
        }
    }
    all
}

/// Whether a page's runtimes are available for a limited time, by its profile or its address.
pub fn is_lent(profile: &str, origin: &str) -> bool {
    const LENT: &[&str] = include!(concat!(env!("OUT_DIR"), "/lent.rs"));
    LENT.contains(&profile) || LENT.contains(&origin)
}

/// Whether new cells can be put into the notebooks of a profile.
pub fn inserts(profile: &str) -> bool {
    const INSERTS: &[&str] = include!(concat!(env!("OUT_DIR"), "/inserts.rs"));
    INSERTS.contains(&profile)
}

#[cfg(test)]
mod tests {
    use super::{front_ends, inserts, is_lent, profiles_json};
    use nbmedic_words as words;
    use serde_json::Value;

    /// The profiles as sensors get them: a field that a profile leaves out is taken from the one
    /// that it is like.
    fn profiles() -> Vec<Value> {
        let all: Vec<Value> =
            serde_json::from_str(profiles_json()).expect("the profiles are valid JSON");
        let whole = |profile: &Value| {
            let mut whole = all
                .iter()
                .find(|p| p["id"] == profile["like"])
                .cloned()
                .unwrap_or(profile.clone());
            for (field, value) in profile.as_object().expect("a profile is an object") {
                whole[field] = value.clone();
            }
            whole
        };
        all.iter().map(whole).collect()
    }

    #[test]
    fn every_profile_has_the_fields_the_sensor_reads() {
        for profile in profiles() {
            let id = profile["id"]
                .as_str()
                .expect("a profile has an id")
                .to_owned();
            if profile["around"].is_array() {
                for list in ["detect", "attributes", "notice", "vitals", "origins"] {
                    assert!(profile[list].is_array(), "{id}: {list} is not a list");
                }
                continue;
            }
            for list in [
                "detect",
                "attributes",
                "state",
                "count",
                "source",
                "notice",
                "kernel",
                "vitals",
                "card",
                "top",
            ] {
                assert!(profile[list].is_array(), "{id}: {list} is not a list");
            }
            assert!(profile["cell"]["find"].is_string(), "{id}: cell.find");
            assert!(profile["output"]["find"].is_string(), "{id}: output.find");
            let known = front_ends();
            let front_end = known
                .iter()
                .find(|f| f.id == id)
                .unwrap_or_else(|| panic!("{id} can't be read"));
            assert!(!front_end.landmarks().is_empty(), "{id}: nothing to check");
            for mark in front_end.landmarks() {
                let words = |key| words::named(key).map(|say| say.english());
                let what = words(&mark.what);
                assert!(what.is_some(), "{id}: {} has no words", mark.name);
                let lost = words(&mark.lost).is_some_and(|text| text.ends_with('.'));
                assert!(
                    front_end.fallback || lost,
                    "{id}: what is lost without {}",
                    mark.name
                );
            }
        }
    }

    #[test]
    fn what_is_lent_is_known_by_profile_and_by_address() {
        let mut lent = 0;
        for front_end in front_ends() {
            assert_eq!(is_lent(&front_end.id, ""), front_end.lent);
            for home in &front_end.home {
                assert_eq!(is_lent("generic", home), front_end.lent, "{home}");
                lent += usize::from(front_end.lent);
            }
        }
        assert!(lent > 0 && !is_lent("", ""));
    }

    #[test]
    fn where_new_cells_can_be_put_is_known_by_profile() {
        for front_end in front_ends() {
            assert_eq!(
                inserts(&front_end.id),
                front_end.inserts,
                "{}",
                front_end.id
            );
        }
        assert!(inserts("colab") && inserts("jupyterlab") && !inserts("kaggle") && !inserts(""));
    }

    #[test]
    fn every_profile_in_the_folder_is_listed() {
        let mut files: Vec<String> = std::fs::read_dir(env!("CARGO_MANIFEST_DIR"))
            .expect("the folder of the profiles")
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
            .collect();
        files.sort_unstable();
        let mut listed: Vec<String> = front_ends().into_iter().map(|f| f.id).collect();
        listed.sort_unstable();
        assert_eq!(listed, files);
    }

    #[test]
    fn a_profile_is_tried_before_the_one_that_it_is_like() {
        let known = front_ends();
        let place = |id: &str| known.iter().position(|f| f.id == id);
        for (at, front_end) in known.iter().enumerate() {
            if !front_end.like.is_empty() {
                let model = place(&front_end.like);
                assert!(model.is_some_and(|model| at < model), "{}", front_end.id);
            }
        }
    }

    #[test]
    fn fallbacks_come_last_and_ids_are_unique() {
        let profiles = profiles();
        let fallback: Vec<bool> = profiles.iter().map(|p| p["fallback"] == true).collect();
        assert!(fallback.is_sorted(), "a fallback stands before a front end");
        let mut ids: Vec<&str> = profiles.iter().filter_map(|p| p["id"].as_str()).collect();
        assert_eq!(ids.len(), profiles.len());
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), profiles.len());
    }

    #[test]
    fn states_are_the_ones_of_the_event() {
        let known = [
            "idle", "pending", "running", "done", "error", "stale", "unknown",
        ];
        for profile in profiles() {
            for rule in profile["state"].as_array().into_iter().flatten() {
                let is = rule["is"].as_str().unwrap_or_default();
                assert!(known.contains(&is), "{}: state {is:?}", profile["id"]);
            }
        }
    }
}
