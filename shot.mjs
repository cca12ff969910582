import { chromium } from 'playwright-core';
const b = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args:['--no-sandbox'] });
const page = await b.newPage({ viewport: { width: 1440, height: 900 } });
page.on('console', m => { if (m.type()==='error') console.log('console', m.text().slice(0,200)); });
const bad=[]; page.on('response', r => { if (r.status()>=400) bad.push(r.status()+' '+r.url().replace(/^.*\/api/,'/api')); });
await page.goto('http://127.0.0.1:3991/auth');
await page.getByLabel('Username').fill('admin'); await page.getByLabel('Password', { exact: true }).fill('correct-horse-battery');
await page.getByRole('button', { name: 'Access Dashboard' }).click();
await page.waitForTimeout(9000); await page.screenshot({ path: '/tmp/st/shots/dash.png' });
await page.goto('http://127.0.0.1:3991/tokens'); await page.waitForTimeout(6000); await page.screenshot({ path: '/tmp/st/shots/tokens.png' });
console.log(await page.locator('tbody tr').count(), 'rows'); console.log(bad.slice(0,20));
const { execSync } = await import('node:child_process');
const pid = process.argv[2]; process.kill(Number(pid), 'SIGKILL'); const t=Date.now();
for (let i=0;i<40;i++){ await page.waitForTimeout(500); const r = await page.evaluate(async()=>{const x=await fetch('/api/trading/account'); return x.status+' '+(x.headers.get('retry-after')??'');}); if (i%4===0) console.log(Date.now()-t, r); if (r.startsWith('200') && i>4) { console.log('back after', Date.now()-t); break; } }
await page.waitForTimeout(8000); await page.screenshot({ path: '/tmp/st/shots/after.png' }); console.log(bad.length, [...new Set(bad)].slice(0,30));
await b.close();
