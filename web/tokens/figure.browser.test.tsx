import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import '../styles/app.css';
import { Figure } from './figure.tsx';

const running = () => {
  const animations = screen.getByText('figure').getAnimations({ subtree: true });
  return animations.map((one) => (one instanceof CSSAnimation ? one.animationName : null));
};

test('each change starts the tint again, in the same element', () => {
  const rendered = render(<Figure value={1}>figure</Figure>);
  const element = screen.getByText('figure');
  expect(running()).toEqual([]);
  const names = [2, 3, 2].map((value) => {
    rendered.rerender(<Figure value={value}>figure</Figure>);
    return running().join();
  });
  expect(names).toEqual(['tint', 'tint-again', 'tint']);
  expect(screen.getByText('figure')).toBe(element);
});
