# For those who build with make, such as the distributed tester OpenBench: `make EXE=NAME` builds the
# program NAME. Variables of other engines' makefiles (CC, CXX, EVALFILE) are accepted and ignored.
EXE = adoube
CARGO ?= cargo

.PHONY: all
all:
	$(CARGO) rustc --release --bin adoube -- --emit link=$(EXE)

# `make dist` makes an archive for people without Rust in target/dist: a program for any 64-bit x86
# processor that runs the fastest of the builds for LEVELS, with README and manual, man pages, shell
# completions, licences and a checksum.
LEVELS ?= x86-64-v2 x86-64-v3 x86-64-v4
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
DIST = target/dist

.PHONY: dist
dist: NAME = adoube-$(VERSION)-x86_64-linux
dist:
	rm -rf $(DIST)
	mkdir -p $(DIST)/$(NAME)
	$(MAKE) --no-print-directory portable LEVELS="$(LEVELS)"
	cp target/x86-64/release/adoube CHANGELOG.md LICENSE-APACHE LICENSE-MIT $(DIST)/$(NAME)
	cp --parents README.md src/manual/*.md src/manual/*.png $(DIST)/$(NAME)
	for level in $(LEVELS); do \
	    RUSTFLAGS="-C target-cpu=$$level" $(CARGO) build --release --target-dir target/$$level && \
	    install -D target/$$level/release/adoube $(DIST)/$(NAME)/levels/$$level/adoube || exit 1; done
	$(MAKE) --no-print-directory pages PROGRAM=target/x86-64/release/adoube
	mv $(DIST)/man $(DIST)/completions $(DIST)/$(NAME)
	tar -C $(DIST) -czf $(DIST)/$(NAME).tar.gz $(NAME)
	rm -rf $(DIST)/$(NAME)
	cd $(DIST) && sha256sum adoube-*.tar.gz >SHA256SUMS && cat SHA256SUMS

# Builds the program for any 64-bit x86 processor in target/x86-64. It looks for builds for LEVELS in
# the folder `levels` next to it.
.PHONY: portable
portable:
	RUSTFLAGS="-C target-cpu=x86-64" ADOUBE_LEVELS="$(LEVELS)" \
	    $(CARGO) build --release --target-dir target/x86-64

# Writes the man pages and the completions of the shells by PROGRAM.
.PHONY: pages
pages:
	mkdir -p $(DIST)/completions
	$(PROGRAM) manual --man $(DIST)/man
	for shell in bash zsh fish elvish powershell; do \
	    $(PROGRAM) completions $$shell >$(DIST)/completions/adoube.$$shell || exit 1; done

# `make deb` makes a Debian package in target/debian, for x86-64-v3 or another LEVEL. It needs cargo-deb.
.PHONY: deb
deb: LEVEL = x86-64-v3
deb:
	RUSTFLAGS="-C target-cpu=$(LEVEL)" $(CARGO) build --release --target-dir target/$(LEVEL)
	rm -rf $(DIST)/man $(DIST)/completions
	$(MAKE) --no-print-directory pages PROGRAM=target/$(LEVEL)/release/adoube
	mkdir -p target/release && cp target/$(LEVEL)/release/adoube target/release
	$(CARGO) deb --no-build --output target/debian/
