// A fully connected network with tanh layers and one logistic output, trained by SGD with momentum.
import { drawNormal } from './two-moons.mjs';

export class Network {
  constructor(sizes, random) {
    this.layers = sizes.slice(1).map((outputs, index) => {
      const inputs = sizes[index];
      const count = outputs * (inputs + 1);
      const weights = Float64Array.from({ length: count }, () => drawNormal(random) / Math.sqrt(inputs));
      return { inputs, outputs, weights, gradient: new Float64Array(count), velocity: new Float64Array(count) };
    });
  }

  /** The activations of every layer, the inputs first; the last holds the probability of label 1. */
  forward(inputs) {
    const activations = [inputs];
    for (const [depth, layer] of this.layers.entries()) {
      const isLast = depth === this.layers.length - 1;
      activations.push(activate(layer, activations[depth], isLast));
    }
    return activations;
  }

  /** Adds one sample's gradient; returns its loss (cross entropy, natural logarithm). */
  backward({ inputs, label }) {
    const activations = this.forward(inputs);
    const probability = activations.at(-1)[0];
    let errors = [probability - label];
    for (let depth = this.layers.length - 1; depth >= 0; depth -= 1) {
      errors = propagate(this.layers[depth], activations[depth], errors);
    }
    return crossEntropy(probability, label);
  }

  /** One step down the mean gradient of `count` samples; returns the gradient's norm. */
  step(count, { learningRate, momentum, weightDecay }) {
    let squares = 0;
    for (const { weights, gradient, velocity } of this.layers) {
      for (let index = 0; index < weights.length; index += 1) {
        const slope = gradient[index] / count + weightDecay * weights[index];
        squares += slope * slope;
        velocity[index] = momentum * velocity[index] - learningRate * slope;
        weights[index] += velocity[index];
      }
      gradient.fill(0);
    }
    return Math.sqrt(squares);
  }

  /** Mean loss and share of right answers. */
  evaluate(samples) {
    let loss = 0;
    let right = 0;
    for (const { inputs, label } of samples) {
      const probability = this.forward(inputs).at(-1)[0];
      loss += crossEntropy(probability, label);
      right += Number(probability >= 0.5 === (label === 1));
    }
    return { loss: loss / samples.length, accuracy: right / samples.length };
  }
}

function activate({ inputs, outputs, weights }, values, isLast) {
  return Array.from({ length: outputs }, (_, row) => {
    const start = row * (inputs + 1);
    let sum = weights[start + inputs];
    for (let column = 0; column < inputs; column += 1) sum += weights[start + column] * values[column];
    return isLast ? 1 / (1 + Math.exp(-sum)) : Math.tanh(sum);
  });
}

/** Adds the layer's gradient and returns the errors of the layer before it. */
function propagate({ inputs, outputs, weights, gradient }, values, errors) {
  const before = new Array(inputs).fill(0);
  for (let row = 0; row < outputs; row += 1) {
    const start = row * (inputs + 1);
    for (let column = 0; column < inputs; column += 1) {
      gradient[start + column] += errors[row] * values[column];
      before[column] += errors[row] * weights[start + column];
    }
    gradient[start + inputs] += errors[row];
  }
  return before.map((error, column) => error * (1 - values[column] ** 2));
}

function crossEntropy(probability, label) {
  return -Math.log(Math.max(label === 1 ? probability : 1 - probability, 1e-12));
}
