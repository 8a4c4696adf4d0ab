# `./build.sh release`: version, changelog, packages, sums, source archive, commit and tag. It never pushes.
# shellcheck shell=bash

command_release() {
  local arg dry= wanted=
  for arg; do
    case $arg in
      --dry-run) dry=yes ;;
      -*) die "release: unknown option $arg" ;;
      *) [[ -z $wanted ]] || die "release: one version, please"
        wanted=$arg ;;
    esac
  done
  # The release's own steps need Node.js, and its file lists need git.
  have node || die "release: Node.js is missing; ./build.sh build installs it"
  wanted=$(node tools/release.mjs plan ${wanted:+"$wanted"}) || die "nothing was changed"
  say "Version $wanted (now $VERSION)."
  if [[ -n $dry ]]; then
    say "A dry run: nothing was changed. The release would set the version, date the changelog's section, run"
    say "\"./build.sh package\", commit, and tag the commit v$wanted. The notes would be:"
    say ""
    node tools/release.mjs notes Unreleased
    return
  fi
  # Restores the working tree's files if the release ends before the commit.
  trap 'stop_children; git checkout --quiet -- .' EXIT
  node tools/release.mjs apply "$wanted"
  VERSION=$(version_now)
  # From the release's own files, so that the source archive and the packages hold the new version.
  plan_setup all
  plan_package
  plan_measures
  run_plan stop
  mkdir -p dist
  node tools/release.mjs notes "$VERSION" >"dist/nbmedic-$VERSION-notes.md"
  node tools/release.mjs seal "$VERSION"
  trap stop_children EXIT
  say ""
  cat "dist/nbmedic-$VERSION-build.txt"
  say ""
  say "In dist/: nbmedic-$VERSION-{chrome,firefox,source}.zip, -build.txt (versions and sums), -notes.md."
  say "To publish: git push origin HEAD v$VERSION, then docs/store/README.md."
}
