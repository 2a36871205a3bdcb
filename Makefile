# For those who build with make, such as the distributed tester OpenBench: `make EXE=NAME` builds the
# program NAME. Variables of other engines' makefiles (CC, CXX, EVALFILE) are accepted and ignored.
EXE = adoube
CARGO ?= cargo

.PHONY: all
all:
	$(CARGO) rustc --release --bin adoube -- --emit link=$(EXE)

# `make dist` makes archives for people without Rust in target/dist: the program for each level of
# processor, with README and manual, man pages, licences and checksums. `make dist LEVELS=x86-64-v3` makes
# one. The first level must run on this machine, since its program writes the man pages of all.
LEVELS ?= x86-64 x86-64-v2 x86-64-v3 x86-64-v4 native
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
DIST = target/dist

.PHONY: dist
dist:
	rm -rf $(DIST)
	for level in $(LEVELS); do $(MAKE) --no-print-directory archive LEVEL=$$level || exit 1; done
	rm -rf $(DIST)/man
	cd $(DIST) && sha256sum adoube-*.tar.gz >SHA256SUMS && cat SHA256SUMS

.PHONY: archive
archive: NAME = adoube-$(VERSION)-$(LEVEL)
archive:
	RUSTFLAGS="-C target-cpu=$(LEVEL)" $(CARGO) build --release --target-dir target/$(LEVEL)
	rm -rf $(DIST)/$(NAME) && mkdir -p $(DIST)/$(NAME)
	cp target/$(LEVEL)/release/adoube CHANGELOG.md LICENSE-APACHE LICENSE-MIT $(DIST)/$(NAME)
	cp --parents README.md src/manual/*.md src/manual/*.png $(DIST)/$(NAME)
	test -d $(DIST)/man || $(DIST)/$(NAME)/adoube manual --man $(DIST)/man
	cp -r $(DIST)/man $(DIST)/$(NAME)
	tar -C $(DIST) -czf $(DIST)/$(NAME).tar.gz $(NAME)
	rm -rf $(DIST)/$(NAME)
