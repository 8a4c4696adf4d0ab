# `./build.sh release`: version, changelog, packages, sums, source archive, commit and tag. It never pushes.
# shellcheck shell=bash

# The command `nbmedic` for this processor and this machine's C library.
command_program() { cargo build --quiet --release --locked -p nbmedic-cli; }

# pack_command [PROGRAM]: the command with its completions and manual pages, in one archive.
pack_command() {
  local program=${1:-$TARGET/release/nbmedic} name folder
  name="nbmedic-$VERSION-linux-$(uname -m)"
  folder="$TARGET/$name"
  rm -rf "$folder"
  mkdir -p "$folder"/{completions,man/man1}
  cp "$program" "$folder/nbmedic"
  # By the names under which each shell looks for them.
  "$program" completions bash >"$folder/completions/nbmedic.bash"
  "$program" completions elvish >"$folder/completions/nbmedic.elv"
  "$program" completions fish >"$folder/completions/nbmedic.fish"
  "$program" completions powershell >"$folder/completions/_nbmedic.ps1"
  "$program" completions zsh >"$folder/completions/_nbmedic"
  "$program" manual "$folder/man/man1"
  cp LICENSE-APACHE LICENSE-MIT CHANGELOG.md "$folder/"
  node tools/notices.mjs "--target=$(rustc -vV | sed -n 's/^host: //p')" "$folder/THIRD-PARTY.txt" nbmedic-cli
  node tools/zip.mjs pack "dist/$name.zip" "$folder"
  rm -rf "$folder"
  note "$(wc -c <"dist/$name.zip") bytes"
}

plan_command() {
  plan "!the command line, to release" command_program
  plan "!zip of the command line" pack_command
}

command_command() {
  mkdir -p "$TOOLS" dist
  plan "!Node and its packages" node_setup
  plan_beside "!Rust" rust_setup build
  plan_command
  run_plan stop
}

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
  plan_command
  plan_measures
  run_plan stop
  mkdir -p dist
  node tools/release.mjs notes "$VERSION" >"dist/nbmedic-$VERSION-notes.md"
  node tools/release.mjs seal "$VERSION"
  trap stop_children EXIT
  say ""
  cat "dist/nbmedic-$VERSION-build.txt"
  say ""
  say "In dist/: nbmedic-$VERSION-{chrome,firefox,source}.zip, -linux-$(uname -m).zip (the command line), -build.txt"
  say "(versions and sums), -notes.md."
  say "To publish: git push origin HEAD v$VERSION, then docs/store/README.md."
}
