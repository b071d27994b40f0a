"""The learners: Bayesian probit, learning automata, ridge regression."""
