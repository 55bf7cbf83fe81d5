// SPDX-License-Identifier: Apache-2.0
import '@mantine/core/styles.css';
import '@mantine/spotlight/styles.css';
import './styles/tokens.css';
import './styles/app.css';
import { createRoot } from 'react-dom/client';
import { App } from './shell/App';

createRoot(document.getElementById('root')!).render(<App />);
