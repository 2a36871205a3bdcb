# For those who build with make, such as the distributed tester OpenBench: `make EXE=NAME` builds the
# program NAME. Variables of other engines' makefiles (CC, CXX, EVALFILE) are accepted and ignored.
EXE = adoube
CARGO ?= cargo

.PHONY: all
all:
	$(CARGO) rustc --release --bin adoube -- --emit link=$(EXE)

# `make dist` makes archives for people without Rust in target/dist: the program for each level of
# processor, with README and manual, man pages, shell completions, licences and checksums. `make dist
# LEVELS=x86-64-v3` makes one. The first level must run on this machine, since its program writes the man
# pages of all.
LEVELS ?= x86-64 x86-64-v2 x86-64-v3 x86-64-v4 native
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
DIST = target/dist

.PHONY: dist
dist:
	rm -rf $(DIST)
	for level in $(LEVELS); do $(MAKE) --no-print-directory archive LEVEL=$$level || exit 1; done
	rm -rf $(DIST)/man $(DIST)/completions
	cd $(DIST) && sha256sum adoube-*.tar.gz >SHA256SUMS && cat SHA256SUMS

.PHONY: archive
archive: NAME = adoube-$(VERSION)-$(LEVEL)
archive:
	RUSTFLAGS="-C target-cpu=$(LEVEL)" $(CARGO) build --release --target-dir target/$(LEVEL)
	rm -rf $(DIST)/$(NAME) && mkdir -p $(DIST)/$(NAME)
	cp target/$(LEVEL)/release/adoube CHANGELOG.md LICENSE-APACHE LICENSE-MIT $(DIST)/$(NAME)
	cp --parents README.md src/manual/*.md src/manual/*.png $(DIST)/$(NAME)
	test -d $(DIST)/man || $(MAKE) --no-print-directory pages PROGRAM=$(DIST)/$(NAME)/adoube
	cp -r $(DIST)/man $(DIST)/completions $(DIST)/$(NAME)
	tar -C $(DIST) -czf $(DIST)/$(NAME).tar.gz $(NAME)
	rm -rf $(DIST)/$(NAME)

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
