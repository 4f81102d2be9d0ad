// boardgame.io's server, in memory, with the smallest of games: four players who take turns at setting a cell.
//     node server.js PORT            (tables are made at PORT + 1)

const { Server, Origins } = require('boardgame.io/server');

const cells = {
  name: 'cells',
  setup: () => ({ cells: Array(9).fill(null), set: 0 }),
  moves: {
    set: ({ G, playerID, events }) => {
      G.cells[G.set % 9] = playerID;
      G.set++;
      events.endTurn();
    },
  },
};

const port = Number(process.argv[2]);
Server({ games: [cells], origins: [Origins.LOCALHOST] }).run({ port, lobbyConfig: { apiPort: port + 1 } });
