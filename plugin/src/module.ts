import { AppPlugin } from '@grafana/data';
import { StartPage } from './app/StartPage.js';

export const plugin = new AppPlugin().setRootPage(StartPage);
