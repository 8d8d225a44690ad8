import { estimateTextPx, fitValues } from './fit-values.js';

const VALUES = ['epoch 3', 'train/loss 0.2134', "it's (a) -1e-7", 'läuft 5', 'note 長い文', 'z 1'];

describe('last values in a line', () => {
  it('are whole, as many as fit, in their order, and the number of the others is told', () => {
    for (let roomPx = 0; roomPx < 700; roomPx += 1) {
      const { shown, more } = fitValues(VALUES, roomPx);
      expect(shown).toEqual(VALUES.slice(0, VALUES.length - more));
      const text = [...shown, ...(more > 0 ? [`+${more}`] : [])].join(', ');
      if (shown.length > 1) expect(estimateTextPx(text)).toBeLessThan(roomPx + 0.001);
    }
    expect(fitValues(VALUES, 700)).toEqual({ shown: VALUES, more: 0 });
    expect(fitValues(VALUES, 0)).toEqual({ shown: ['epoch 3'], more: 5 });
    expect(fitValues([], 100)).toEqual({ shown: [], more: 0 });
  });

  it('begin with that of the main key where some have no room', () => {
    expect(fitValues(VALUES, 0, "it's (a)")).toEqual({ shown: ["it's (a) -1e-7"], more: 5 });
    expect(fitValues(VALUES, 250, 'z').shown.slice(0, 2)).toEqual(['z 1', 'epoch 3']);
    expect(fitValues(VALUES, 700, 'z')).toEqual({ shown: VALUES, more: 0 });
    expect(fitValues(VALUES, 0, 'gone')).toEqual({ shown: ['epoch 3'], more: 5 });
  });
});
