import { render, screen } from '@testing-library/react';
import React from 'react';
import { plugin } from '../module.js';
import { QUERY_TYPES } from '../registry/registry.js';
import { StartPage } from './StartPage.js';

// Grafana puts its page frame there when it starts.
jest.mock('@grafana/runtime', () => ({
  ...jest.requireActual<object>('@grafana/runtime'),
  PluginPage: ({ children }: React.PropsWithChildren) => children,
}));

describe('StartPage', () => {
  it('leads to the dashboard and the data sources', () => {
    render(<StartPage />);
    const targets = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(targets).toEqual(['/d/joblens-jobs', '/datasources']);
  });

  it('names each type of query', () => {
    render(<StartPage />);
    const labels = Object.values(QUERY_TYPES).map(({ label }) => label);
    const words = screen.getByText(/Its query types are/).textContent.split(/[.,; ]+/);
    expect(words).toEqual(expect.arrayContaining(labels.flatMap((label) => label.split(' '))));
  });

  it('is the app’s page', () => {
    expect(plugin.root).toBe(StartPage);
  });
});
