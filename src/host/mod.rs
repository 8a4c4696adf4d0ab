//! The front ends: what a cell, an output or a crash notice looks like on each of them.
//!
//! A profile is data for the sensor; the engine only hands it on. `README.md` beside this file
//! describes the fields.

/// All profiles as one JSON array, in the order in which the sensor tries them.
pub fn profiles_json() -> &'static str {
    concat!(
        "[",
        include_str!("colab.json"),
        ",",
        include_str!("jupyterlab.json"),
        ",",
        include_str!("generic.json"),
        "]"
    )
}

#[cfg(test)]
mod tests {
    use super::profiles_json;
    use serde_json::Value;

    fn profiles() -> Vec<Value> {
        serde_json::from_str(profiles_json()).expect("the profiles are valid JSON")
    }

    #[test]
    fn every_profile_has_the_fields_the_sensor_reads() {
        for profile in profiles() {
            let id = profile["id"]
                .as_str()
                .expect("a profile has an id")
                .to_owned();
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
            assert!(
                profile["landmarks"]
                    .as_object()
                    .is_some_and(|l| !l.is_empty()),
                "{id}: no landmark to check"
            );
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
