import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { errors } from '../../common/errors.ts';
import { templateCalls } from '../../common/templates/http.ts';
import { alertTypes, type Template } from '../../common/templates/model.ts';
import { renderTemplate } from '../../common/templates/render.ts';
import { tokenVariables } from '../../common/templates/variables.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { NOON, token } from '../live/testing/build.ts';
import { fakeServerPerTest, json } from '../testing/fake-server.ts';
import { card, findToast, id, sent } from '../testing/page.ts';
import { renderWithApp, sessionUser } from '../testing/render.tsx';
import { TemplatesTab } from './templates-tab.tsx';

const PATH = '/api/admin/notification-templates';
const AT = '2026-02-03T04:05:06.000Z';
const shown = token(1);
const server = fakeServerPerTest();

function template(number: number, fields: Partial<Template> = {}): Template {
  return {
    id: id(number),
    name: `Template ${number}`,
    type: 'new_token',
    template: 'New: {token.name}',
    isDefault: false,
    createdAt: AT,
    updatedAt: AT,
    ...fields,
  };
}

/** Serves templates and applies changes; the last one made the default of its type is the only default. */
function serveTemplates(templates: Template[]): Template[] {
  function save(saved: Template): Template {
    const others = templates.filter((one) => one.id !== saved.id);
    const rest = others.map((one) => (saved.isDefault && one.type === saved.type ? { ...one, isDefault: false } : one));
    templates.splice(0, templates.length, ...rest, saved);
    return saved;
  }
  server.answer(templateCalls.list, () => templates);
  server.answer(templateCalls.create, ({ body }) =>
    save({ ...template(100), ...templateCalls.create.body.parse(body) }),
  );
  server.answer(templateCalls.change, ({ params, body }) =>
    save({ ...template(0), id: params.id ?? '', ...templateCalls.change.body.parse(body) }),
  );
  server.answer(templateCalls.remove, ({ params }) => {
    const index = templates.findIndex((one) => one.id === params.id);
    templates.splice(index, 1);
    return { id: params.id ?? '' };
  });
  server.answer(templateCalls.preview, ({ body }) => {
    const { template: text } = templateCalls.preview.body.parse(body);
    return { ...renderTemplate(text, tokenVariables(shown, NOON + 60_000)), address: shown.address };
  });
  return templates;
}

async function open(templates: Template[]): Promise<Template[]> {
  const stored = serveTemplates(templates);
  const { store } = renderWithApp(<TemplatesTab />, { session: sessionUser({ isAdmin: true }) });
  store.set(linkAtom, { phase: 'live', since: Date.now(), roundTrip: 1 });
  await (templates.length > 0 ? screen.findAllByRole('article') : screen.findByText('No Templates'));
  return stored;
}

const inCard = (name: string) => within(card(name));
const dialog = () => within(screen.getByRole('dialog'));

async function openNew(): Promise<void> {
  await userEvent.click(screen.getAllByRole('button', { name: 'Create Template' })[0] ?? document.body);
}

/** Fills in the form. Pasted, since typing would render the dialog once per key. */
async function fillIn(name: string, type: string, content: string): Promise<void> {
  for (const [label, text] of [
    ['Name', name],
    ['Type', type],
    ['Content', content],
  ] as const) {
    await userEvent.click(dialog().getByLabelText(label));
    await userEvent.paste(text);
  }
}

const save = (verb: 'Create' | 'Save') => userEvent.click(dialog().getByRole('button', { name: `${verb} Template` }));

test('shows cards with name, type, text and Default badge, searchable by name or type [S2.13-17, S3-52]', async () => {
  await open([
    template(1, { name: 'Short', isDefault: true }),
    template(2, { name: 'Long' }),
    template(3, { name: 'Moves', type: 'price_alert', isDefault: true }),
  ]);
  expect(inCard('Short').getByText('Default')).toBeVisible();
  expect(inCard('Short').getByText('new_token')).toBeVisible();
  expect(inCard('Short').getByText('New: {token.name}')).toBeVisible();
  expect(inCard('Long').queryByText('Default')).toBeNull();
  for (const name of ['Edit', 'Delete', 'Preview']) {
    expect(inCard('Long').getByRole('button', { name })).toHaveAccessibleDescription('Long');
  }
  const box = screen.getByRole('searchbox', { name: 'Search by name or type' });
  const names = () => screen.queryAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);
  await userEvent.type(box, 'LON');
  expect(names()).toEqual(['Long']);
  await userEvent.clear(box);
  await userEvent.type(box, 'price');
  expect(names()).toEqual(['Moves']);
  await userEvent.type(box, 'less');
  expect(screen.getByText('No Matching Templates')).toBeVisible();
});

test('the type is free text [S3-52]', async () => {
  await open([]);
  await openNew();
  await fillIn('Mine', 'Weekly summary: Über 1 SOL!', 'Look: {token.symbol}');
  await save('Create');
  expect(await findToast('Template created')).toBeVisible();
  expect(sent(server, 'POST', '/api/admin/notification-templates')).toMatchObject([
    { type: 'Weekly summary: Über 1 SOL!' },
  ]);
});

test('creates a template in a dialog; as the default it replaces the previous one [S2.13-18, S8.7-11, S4-24]', async () => {
  await open([template(1, { name: 'Before', isDefault: true })]);
  await openNew();
  expect(dialog().getByLabelText('Type')).toHaveAttribute('list');
  const suggested = [...document.querySelectorAll('datalist option')].map((option) => option.getAttribute('value'));
  expect(suggested).toEqual([...alertTypes]);
  await fillIn('After', 'new_token', 'Look: {token.symbol}');
  await userEvent.click(dialog().getByRole('switch', { name: 'Set as Default' }));
  await save('Create');
  expect(await findToast('Template created')).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent(server, 'POST', PATH)).toEqual([
    { name: 'After', type: 'new_token', template: 'Look: {token.symbol}', isDefault: true },
  ]);
  expect(await within(await screen.findByRole('article', { name: 'After' })).findByText('Default')).toBeVisible();
  expect(inCard('Before').queryByText('Default')).toBeNull();
});

test('edits a template in the same dialog, with any type [S2.13-18, S8.7-11, S3-52]', async () => {
  await open([template(1, { name: 'Old' })]);
  await userEvent.click(inCard('Old').getByRole('button', { name: 'Edit' }));
  expect(dialog().getByLabelText('Content')).toHaveValue('New: {token.name}');
  await userEvent.clear(dialog().getByLabelText('Name'));
  await userEvent.clear(dialog().getByLabelText('Type'));
  await fillIn('Fresh', 'weekly_digest', '!');
  await save('Save');
  expect(await findToast('Template updated')).toBeVisible();
  expect(sent(server, 'PATCH', `${PATH}/${id(1)}`)).toEqual([
    { name: 'Fresh', type: 'weekly_digest', template: 'New: {token.name}!', isDefault: false },
  ]);
  expect(await screen.findByRole('article', { name: 'Fresh' })).toBeVisible();
});

test('requires name, type and content, with an error beside each [S5-25]', async () => {
  await open([]);
  await openNew();
  await save('Create');
  await waitFor(() => expect(dialog().getByLabelText('Name')).toHaveAccessibleDescription('Please enter a name'));
  expect(dialog().getByLabelText('Type')).toHaveAccessibleDescription('Please enter a type');
  expect(dialog().getByLabelText('Content')).toHaveAccessibleDescription('Please enter the content');
  expect(server.count(templateCalls.create)).toBe(0);
});

test("a failed creation shows the server's message and keeps the input [S8.7-01]", async () => {
  await open([]);
  server.fail(templateCalls.create, 'limit-reached');
  await openNew();
  await fillIn('Mine', 'new_token', 'Text');
  await save('Create');
  expect(await findToast('Creation failed')).toHaveTextContent(errors['limit-reached'].text);
  expect(dialog().getByLabelText('Name')).toHaveValue('Mine');
  expect(dialog().getByLabelText('Content')).toHaveValue('Text');
  server.reply(templateCalls.create, () => new Response('bad gateway', { status: 502 }));
  await save('Create');
  await waitFor(async () => expect(await findToast('Creation failed')).toHaveTextContent('Failed to create template'));
});

test('Escape asks before it discards changes', async () => {
  await open([]);
  await openNew();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await openNew();
  await userEvent.type(dialog().getByLabelText('Content'), 'A long text');
  const question = () => within(screen.getByRole('alertdialog', { name: 'Discard your changes?' }));
  await userEvent.keyboard('{Escape}');
  await userEvent.click(question().getByRole('button', { name: 'Cancel' }));
  expect(dialog().getByLabelText('Content')).toHaveValue('A long text');
  await userEvent.keyboard('{Escape}');
  await userEvent.click(question().getByRole('button', { name: 'Discard' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(server.count(templateCalls.create)).toBe(0);
});

test("another administrator's change appears within a minute while the socket is connected", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const stored = await open([template(1)]);
    stored.push(template(2, { name: 'Of another' }));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(await screen.findByRole('article', { name: 'Of another' })).toBeVisible();
  } finally {
    vi.useRealTimers();
  }
});

test("a failed change shows the server's message, else 'Failed to update template' [S8.7-02]", async () => {
  await open([template(1, { name: 'Only', isDefault: true })]);
  server.fail(templateCalls.change, 'default-needed');
  await userEvent.click(inCard('Only').getByRole('button', { name: 'Edit' }));
  await userEvent.click(dialog().getByRole('switch', { name: 'Set as Default' }));
  await save('Save');
  expect(await findToast('Update failed')).toHaveTextContent('Each type needs a default.');
  expect(dialog().getByRole('switch', { name: 'Set as Default' })).not.toBeChecked();
  server.reply(templateCalls.change, () => new Response('', { status: 502 }));
  await save('Save');
  await waitFor(async () => expect(await findToast('Update failed')).toHaveTextContent('Failed to update template'));
});

test('a template that another administrator deleted can be saved as a new one [S8.7-02]', async () => {
  await open([template(1, { name: 'Deleted' })]);
  server.fail(templateCalls.change, 'not-found');
  await userEvent.click(inCard('Deleted').getByRole('button', { name: 'Edit' }));
  await save('Save');
  expect(await findToast('Update failed')).toHaveTextContent('deleted in the meantime');
  await save('Create');
  expect(await findToast('Template created')).toBeVisible();
  expect(sent(server, 'POST', PATH)).toHaveLength(1);
});

test('asks for confirmation before deleting [S5-25, S8.7-11]', async () => {
  const stored = await open([template(1), template(2)]);
  const remove = () => userEvent.click(inCard('Template 1').getByRole('button', { name: 'Delete' }));
  const question = () => within(screen.getByRole('alertdialog', { name: 'Delete this template?' }));
  await remove();
  await userEvent.click(question().getByRole('button', { name: 'Cancel' }));
  expect(server.count(templateCalls.remove)).toBe(0);
  await remove();
  await userEvent.click(question().getByRole('button', { name: 'Delete' }));
  expect(await findToast('Template deleted')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Template 1' })).toBeNull());
  expect(stored.map(({ name }) => name)).toEqual(['Template 2']);
});

test("a failed deletion shows the server's message, else 'Failed to delete template' [S8.7-03]", async () => {
  await open([template(1)]);
  for (const [reply, text] of [
    [() => json({ error: 'Not today.', code: 'internal' }, 500), 'Not today.'],
    [() => new Response('', { status: 500 }), 'Failed to delete template'],
  ] as const) {
    server.reply(templateCalls.remove, reply);
    await userEvent.click(inCard('Template 1').getByRole('button', { name: 'Delete' }));
    await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(async () => expect(await findToast('Deletion failed')).toHaveTextContent(text));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  }
  expect(card('Template 1')).toBeVisible();
});

test('the preview shows the variables, the text for a real token, and a warning about unknown variables [S2.13-19]', async () => {
  await open([template(1, { template: '{token.name} at {token.price}, {timeAgo(token.createdAt)}, {token.soul}' })]);
  await userEvent.click(inCard('Template 1').getByRole('button', { name: 'Preview' }));
  for (const name of ['token.name', 'token.symbol', 'token.address', 'token.price', 'timeAgo(token.createdAt)']) {
    expect(dialog().getByText(`{${name}}`)).toBeVisible();
  }
  expect(await dialog().findByText('Token 1 at 0.00000003, 2 minutes ago, {token.soul}')).toBeVisible();
  expect(dialog().getByText('{token.soul} stays as written.')).toBeVisible();
  expect(dialog().getByRole('link')).toHaveAttribute('href', `/app/tokens/${shown.address}`);
  // The form has the same link, and following it must not discard input.
  expect(dialog().getByRole('link')).toHaveAttribute('target', '_blank');
});

test('the preview shows an error when there is no token [S2.13-19]', async () => {
  await open([template(1)]);
  server.fail(templateCalls.preview, 'token-not-found');
  await userEvent.click(inCard('Template 1').getByRole('button', { name: 'Preview' }));
  expect(await dialog().findByText('No token with this address is known.')).toBeVisible();
});

test("shows 'Failed to fetch notification templates', and a missing permission for a 403 [S8.1-02, S8.1-03]", async () => {
  server.fail(templateCalls.list, 'forbidden');
  renderWithApp(<TemplatesTab />);
  expect(await screen.findByText('Failed to fetch notification templates')).toBeVisible();
  expect(screen.getByText("You don't have permission to access this resource")).toBeVisible();
  serveTemplates([template(1)]);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('article', { name: 'Template 1' })).toBeVisible();
});
