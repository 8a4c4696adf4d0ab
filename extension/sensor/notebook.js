// Entry point of the sensor that runs in a page; bundled into one script.

import { Sensor, isTaken } from './sensor.js';

if (!isTaken()) new Sensor().start();
