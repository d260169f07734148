<?php
echo 3
echo 4;
