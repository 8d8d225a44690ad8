import { render, screen } from '@testing-library/react';
import React from 'react';
import { plugin } from '../module.js';
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

  it('is the app’s page', () => {
    expect(plugin.root).toBe(StartPage);
  });
});
