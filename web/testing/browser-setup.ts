import './setup.ts';
import '../styles/app.css';
