// Scripted people at boardgame.io's server: moves for each second of its processor, four viewers a table.
//     node people.js PORT PID [TABLES] [SECONDS]

const fs = require('fs');
const { connect } = require('socket.io-client');

const [port, pid] = process.argv.slice(2, 4).map(Number);
const [tables, seconds] = [Number(process.argv[4] ?? 40), Number(process.argv[5] ?? 10)];
const PLAYERS = ['0', '1', '2', '3'];
const TICKS = 100; // of the system's, in a second
let moves = 0;

function processorSeconds() {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${port + 1}/games/cells/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.json();
}

async function sitDown(matchID, player) {
  const { playerCredentials } = await post(`${matchID}/join`, { playerID: player, playerName: player });
  const line = connect(`http://127.0.0.1:${port}/cells`, { transports: ['websocket'], forceNew: true });
  await new Promise((done) => line.on('connect', done));
  let seen = -1;
  const show = (state) => {
    if (!state || state._stateID <= seen) return;
    seen = state._stateID;
    if (state.ctx.currentPlayer !== player) return;
    moves++;
    const payload = { type: 'set', args: [], playerID: player, credentials: playerCredentials };
    line.emit('update', { type: 'MAKE_MOVE', payload }, state._stateID, matchID, player);
  };
  line.on('sync', (id, told) => show(told.state));
  line.on('update', (id, state) => show(state));
  line.emit('sync', matchID, player, playerCredentials, PLAYERS.length);
}

async function measure() {
  for (let table = 0; table < tables; table++) {
    const { matchID } = await post('create', { numPlayers: PLAYERS.length });
    for (const player of PLAYERS) await sitDown(matchID, player);
  }
  await new Promise((done) => setTimeout(done, 3000)); // until the compiler has seen enough
  const [movesBefore, before] = [moves, processorSeconds()];
  await new Promise((done) => setTimeout(done, 1000 * seconds));
  const used = processorSeconds() - before;
  console.log(JSON.stringify({ moves_per_cpu_s: (moves - movesBefore) / used, load: fs.readFileSync('/proc/loadavg', 'utf8').split(' ')[0] }));
  process.exit(0);
}

measure();
