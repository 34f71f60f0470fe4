"""What a classifier of fastText says of a text (Joulin et al. 2016)."""

import numpy as np

cimport cython
from libc.math cimport INFINITY, exp, expf, floor, log
from libc.stdint cimport int32_t

from transforms.curation._text_vectors cimport TextVectors

from transforms.curation.fasttext_file import Loss
from transforms.curation.label_tree import children_of

cdef extern from *:
    """
    #define TINY 1e-5  /* keeps logarithms finite; part of the scores that fastText gives */
    """
    const double TINY


@cython.final
cdef class Classifier:
    """A model that is ready to be asked.

    Attributes:
        labels: the names of its labels.
    """

    cdef:
        readonly tuple labels
        TextVectors vectors
        const float[:, ::1] outputs
        float[::1] hidden  # the vector of the text at hand
        bint hierarchical, one_vs_all
        int32_t[:, ::1] children  # of each inner node, left and right; labels come first
        int32_t[::1] open_nodes  # of the tree, yet to be looked at
        double[::1] open_scores

    def __init__(self, model):
        """Make a model ready.

        Args:
            model: a `ModelFile`.
        """
        self.labels = model.labels
        self.vectors = TextVectors(model)
        self.outputs = model.outputs
        self.hidden = np.empty(self.vectors.dimensions, np.float32)
        self.hierarchical = model.loss == Loss.HIERARCHICAL_SOFTMAX
        self.one_vs_all = model.loss in (Loss.ONE_VS_ALL, Loss.NEGATIVE_SAMPLING)
        self.children = children_of(model.label_counts) if self.hierarchical else np.empty((0, 2), np.int32)
        self.open_nodes = np.empty(len(model.labels) + 1, np.int32)
        self.open_scores = np.empty(len(model.labels) + 1)

    def classify(self, bytes text not None):
        """Find the label of a text.

        Args:
            text: UTF-8 in one line; words are what ASCII blanks part. fastText's own mark of a line's end ends it,
                and words that look like its labels do not count.

        Returns:
            The number of the label, and its score as fastText gives it, which may be a little more than 1.
        """
        cdef:
            float[::1] scores
            Py_ssize_t label
            double score
        self.vectors.mean(text, len(text), &self.hidden[0])
        if self.hierarchical:
            return self._best_leaf(&self.hidden[0])
        scores = np.empty(len(self.labels), np.float32)
        label = self._best_output(&self.hidden[0], scores)
        score = scores[label]
        return label, exp(log(score + TINY))

    cdef double _product(self, const float* hidden, Py_ssize_t output) noexcept:
        cdef:
            Py_ssize_t i
            float product = 0
        for i in range(self.vectors.dimensions):
            product += hidden[i] * self.outputs[output, i]
        return product

    cdef Py_ssize_t _best_output(self, const float* hidden, float[::1] scores) noexcept:
        """The label of the highest score, and the scores of all."""
        cdef:
            Py_ssize_t label, best = 0
            float sum = 0, highest
        for label in range(scores.shape[0]):
            scores[label] = <float> self._product(hidden, label)
            if scores[label] > scores[best]:
                best = label
        if self.one_vs_all:
            scores[best] = _tabled_sigmoid(scores[best])
            return best
        highest = scores[best]
        for label in range(scores.shape[0]):
            sum += expf(scores[label] - highest)
        scores[best] = 1 / sum
        return best

    cdef tuple _best_leaf(self, const float* hidden):
        """The leaf with the highest product of the choices that lead to it, and that product.

        Depth first, the likelier child before the other; what cannot become better than the best is left out.
        """
        cdef:
            Py_ssize_t labels = len(self.labels), node, best = 0, depth = 1
            double right, score, left_score, right_score, best_score = -INFINITY
            double slack = labels * TINY  # by so much a score may rise on the way down
            int32_t* nodes = &self.open_nodes[0]
            double* scores = &self.open_scores[0]
        nodes[0], scores[0] = <int32_t> (2 * labels - 2), 0
        while depth:
            depth -= 1
            node, score = nodes[depth], scores[depth]
            if score + slack < best_score:
                continue
            if node < labels:
                if score > best_score or score == best_score and node < best:
                    best, best_score = node, score
                continue
            right = 1 / (1 + exp(-self._product(hidden, node - labels)))
            left_score, right_score = score + log(1 - right + TINY), score + log(right + TINY)
            if right < 0.5:
                nodes[depth], scores[depth] = self.children[node - labels, 1], right_score
                nodes[depth + 1], scores[depth + 1] = self.children[node - labels, 0], left_score
            else:
                nodes[depth], scores[depth] = self.children[node - labels, 0], left_score
                nodes[depth + 1], scores[depth + 1] = self.children[node - labels, 1], right_score
            depth += 2
        return best, exp(best_score)


cdef float _tabled_sigmoid(float x) noexcept nogil:
    """The logistic function as fastText looks it up, in steps of 1/32 from -8 to 8."""
    if x < -8:
        return 0
    if x > 8:
        return 1
    return <float> (1 / (1 + exp(8 - floor((x + 8) * 32) / 32)))
