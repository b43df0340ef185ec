import './configure-zod.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource/jetbrains-mono/latin-400.css';
import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { choosePipeSource } from './host/pipe-source.ts';
import { Session } from './state/session.svelte.ts';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no place for the app');
const session = new Session(choosePipeSource(window));
mount(App, { target, props: { session } });
void session.open();
