# For those who build with make, such as the distributed tester OpenBench: `make EXE=NAME` builds the
# program NAME. Variables of other engines' makefiles (CC, CXX, EVALFILE) are accepted and ignored.
EXE = adoube
CARGO ?= cargo

.PHONY: all
all:
	$(CARGO) rustc --release --bin adoube -- --emit link=$(EXE)
