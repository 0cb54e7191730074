// The bot of `programs/foreign/steps.py` in discord.js: it does what its commands and buttons say.
// URL and TOKEN come by the environment; the first line of its output is the library's version. Its commands are for
// people too, wherever they are, and it prints with which permissions each came: docs/real_discord_hour.md runs it,
// with DEBUG set, so that each heartbeat and event are printed, too, those of servers and channels with their data.
import {
  ActionRowBuilder, ApplicationIntegrationType, ButtonBuilder, ButtonStyle, Client, GatewayIntentBits,
  InteractionContextType, LabelBuilder, MessageFlags, ModalBuilder, Routes, SlashCommandBuilder, StringSelectMenuBuilder, TextInputBuilder, TextInputStyle, version,
} from 'discord.js';

const { URL: url, TOKEN: token } = process.env;
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: `${url}/api` } });
let posted;
if (process.env.DEBUG) client.on('debug', console.log).on('raw', (packet, shard) => console.log(shard, packet.t, /^(CHANNEL|GUILD)_/.test(packet.t) ? JSON.stringify(packet.d) : ''));

const installs = [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall];
const contexts = [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel];

const row = (...components) => new ActionRowBuilder().addComponents(...components);
const button = (id) => new ButtonBuilder().setCustomId(id).setLabel(id).setStyle(ButtonStyle.Secondary);

const commands = {
  answer: (interaction) => interaction.reply('Answered.'),
  async defer(interaction) {
    await interaction.deferReply();
    await interaction.editReply('Edited.');
  },
  async follow(interaction) {
    await interaction.reply('First.');
    await interaction.followUp({ content: 'For you alone.', flags: MessageFlags.Ephemeral });
  },
  panel: (interaction) => interaction.reply({
    content: 'A panel.',
    components: [
      row(button('update'), button('acknowledge'), button('ask')),
      row(new StringSelectMenuBuilder().setCustomId('choice')
        .addOptions({ label: 'First', value: 'first' }, { label: 'Second', value: 'second' })),
      ...(interaction.context === InteractionContextType.PrivateChannel ? [row(button('six'))] : []),
    ],
  }),
  suggest: (interaction) => interaction.reply(`Suggested: ${interaction.options.getString('word')}`),
  async post(interaction) {
    const files = [{ attachment: Buffer.from('A file.'), name: 'note.txt', description: 'a note' }];
    posted = await interaction.channel.send({ content: 'With a file.', files });
    await interaction.reply('Posted.');
  },
  async edit(interaction) {
    posted = await posted.edit({ content: 'Edited, with its file.', attachments: [...posted.attachments.values()] });
    await interaction.reply('Edited.');
  },
  async dm(interaction) {
    const channel = await interaction.user.createDM();
    await channel.send('A direct message.');
    await interaction.reply('Sent.');
  },
  async hurry(interaction) {
    await interaction.channel.send('After a wait.');
    await interaction.reply('Waited.');
  },
  async wrong(interaction) {
    const body = { content: 'x'.repeat(2001), flags: 'many', components: [null] };
    const error = await client.rest.post(Routes.channelMessages(interaction.channelId), { body }).catch((e) => e);
    await interaction.reply(`Refused: ${error.status} ${error.code}`);
  },
};

const buttons = {
  update: (interaction) => interaction.update('Updated.'),
  async acknowledge(interaction) {
    await interaction.deferUpdate();
    await interaction.editReply('Acknowledged.');
  },
  async six(interaction) {
    await interaction.deferUpdate();
    const follow = (n) => interaction.followUp({ content: `For you alone: ${n}.`, flags: MessageFlags.Ephemeral });
    for (let n = 1; n <= 5; n += 1) await follow(n);
    const error = await follow(6).catch((e) => e);
    await interaction.editReply(`Refused: ${error.status} ${error.code}`);
  },
  ask: (interaction) => interaction.showModal(
    new ModalBuilder().setCustomId('asked').setTitle('A question').addLabelComponents(
      new LabelBuilder().setLabel('Words')
        .setTextInputComponent(new TextInputBuilder().setCustomId('words').setStyle(TextInputStyle.Short)),
    ),
  ),
  choice: (interaction) => interaction.update(`Chosen: ${interaction.values[0]}`),
};

client.once('clientReady', async () => {
  const definitions = Object.keys(commands).map((name) => {
    const command = new SlashCommandBuilder().setName(name).setDescription(`Tries ${name}.`)
      .setIntegrationTypes(installs).setContexts(contexts);
    if (name === 'suggest') {
      command.addStringOption((option) => option.setName('word').setDescription('A word.').setAutocomplete(true));
    }
    return command;
  });
  await client.application.commands.set(definitions);
});
client.on('interactionCreate', async (interaction) => {
  const { context, authorizingIntegrationOwners: owners, appPermissions } = interaction;
  console.log(JSON.stringify({ context, owners, appPermissions: appPermissions?.toArray() }));
  if (interaction.isAutocomplete()) {
    const typed = interaction.options.getFocused();
    await interaction.respond([{ name: `${typed}!`, value: `${typed}!` }]);
  } else if (interaction.isChatInputCommand()) await commands[interaction.commandName](interaction);
  else if (interaction.isModalSubmit()) await interaction.reply(`Told: ${interaction.fields.getTextInputValue('words')}`);
  else await buttons[interaction.customId](interaction);
});

console.log(`discord.js ${version}`);
await client.login(token);
