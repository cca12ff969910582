import '../styles/app.css';
import { start } from './coming-soon.ts';

start(document, location);
